import type { AccountStore } from "@tranche/shared/accounts/account-store";
import type { DailyUsage, StatusClass, UsageLine, UsageWay } from "@tranche/shared/accounts/daily-usage";
import type { Logger } from "@tranche/shared/process/logger";
import type { Timing } from "@tranche/shared/process/timing";
import { LRUCache } from "lru-cache";

const MINUTE_MS = 60_000;
const MAX_KEYS = 10_000;

/** Counts requests for charts. Counts are collected in memory and written apart from requests. */
export type UsageLog = {
  record(caller: { handle: string; keyId: string; keyHash: string }, status: number, way: UsageWay): void;
  /** Writes the counts that are not written yet. */
  close: () => Promise<void>;
};

/** Writes counts to `usage`, and the minute in which each key was last used to `accounts`. `now` in ms. */
export function createUsageLog(parts: {
  usage: Pick<DailyUsage, "add">;
  accounts: Pick<AccountStore, "noteUses">;
  log: Logger;
  timing: Timing;
  now: () => number;
}): UsageLog {
  const { usage, accounts, log, timing, now } = parts;
  let counts = new Map<string, UsageLine>();
  let uses = new Map<string, number>();
  /** The minute of the last request (ms), and its day. */
  let [lastMinute, day] = [Number.NaN, ""];
  const minutes = new LRUCache<string, number>({ max: MAX_KEYS });

  const count = (line: UsageLine) => {
    const { account, keyId, day: onDay, status, way } = line;
    const id = `${account} ${keyId} ${onDay} ${status} ${way}`;
    const there = counts.get(id);
    if (there) there.requests += line.requests;
    else counts.set(id, line);
  };

  const writeCounts = async () => {
    if (counts.size === 0) return;
    const lines = [...counts.values()];
    counts = new Map();
    try {
      for (const line of await usage.add(lines)) count(line);
    } catch (error) {
      log.warn({ err: error }, "request counts for charts were lost");
    }
  };
  const writeUses = async () => {
    if (uses.size === 0) return;
    const taken = uses;
    uses = new Map();
    try {
      await accounts.noteUses([...taken].map(([hash, minute]) => ({ hash, at: new Date(minute).toISOString() })));
    } catch (error) {
      log.warn({ err: error }, "the last uses of keys could not be written; the next write tries again");
      uses = new Map([...taken, ...uses]);
    }
  };
  const timers = [
    setInterval(() => void writeCounts(), timing.usageWrite).unref(),
    setInterval(() => void writeUses(), timing.lastUsesWrite).unref(),
  ];

  return {
    record({ handle, keyId, keyHash }, status, way) {
      const at = now();
      const minute = at - (at % MINUTE_MS);
      if (minute !== lastMinute) [lastMinute, day] = [minute, new Date(minute).toISOString().slice(0, 10)];
      count({ account: handle, keyId, day, status: classOf(status), way, requests: 1 });
      if (minutes.get(keyHash) === minute) return;
      minutes.set(keyHash, minute);
      uses.set(keyHash, minute);
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all([writeCounts(), writeUses()]);
    },
  };
}

const classOf = (status: number): StatusClass =>
  `${Math.min(5, Math.max(2, Math.floor(status / 100)))}xx` as StatusClass;
