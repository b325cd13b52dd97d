import { isIP } from "node:net";
import { network } from "@tranche/http/server/network";
import {
  type Counts,
  minuteOf,
  type MinuteSums,
  OTHERS,
  type RequestSums,
  WITHOUT_KEY,
} from "@tranche/shared/accounts/request-sums";
import type { Logger } from "@tranche/shared/process/logger";
import { RedisAway } from "../redis/silence-timeout.ts";

/** Accounts that a process notes by themselves in a minute. */
const MAX_ACCOUNTS = 500;
/** Keys and addresses of an account, and networks without a key, that it notes by themselves. */
const MAX_OF_ACCOUNT = 20;
const MAX_NETWORKS = 100;
/** Keys, addresses and routes of all accounts together, so that a minute never takes more than about 200 kB. */
const MAX_ROWS = 2000;
/** Minutes that wait for Redis. */
const MAX_MINUTES = 5;

/** A request that was answered. `account` and `keyId` are missing without a key that works. */
export type AnsweredRequest = {
  account: string | undefined;
  keyId: string | undefined;
  /** As the API knows it. */
  address: string;
  /** A pattern of paths. */
  route: string;
  status: number;
  /** Without the time that its caller wanted it to wait. */
  ms: number;
  isSlow: boolean;
};

/** Notes who sends what, for operators: sums by minute, collected in memory and written apart from requests. */
export type RequestLog = {
  record: (request: AnsweredRequest) => void;
  /** Writes the sums that are not written yet. */
  close: () => Promise<void>;
};

type Rows = Map<string, Counts>;
type Sender = {
  statuses: Map<number, number>;
  slow: number;
  ms: number;
  keys: Rows;
  addresses: Rows;
  routes: Rows;
};
type Minute = { senders: Map<string, Sender>; rows: number; isWritten: boolean };

/** `write`: writes the sums of a minute, or rejects; with RedisAway while Redis is away. `now`: real time in ms. */
export function createRequestLog(parts: {
  write: (minute: number, sums: MinuteSums) => ReturnType<RequestSums["write"]>;
  log: Pick<Logger, "warn">;
  everyMs: number;
  now: () => number;
}): RequestLog {
  const { write, log, everyMs, now } = parts;
  const minutes = new Map<number, Minute>();
  let last: { at: number; minute: Minute } | undefined;
  let isRefused = false;

  const minuteAt = (at: number): Minute => {
    // When the clock goes back a little, the last minute goes on: an earlier one would replace what was written of it.
    if (last && at <= last.at && last.at - at < MAX_MINUTES) return last.minute;
    const minute = minutes.get(at) ?? { senders: new Map(), rows: 0, isWritten: false };
    minutes.set(at, minute);
    if (minutes.size > MAX_MINUTES) {
      minutes.delete(minutes.keys().next().value!);
      if (!isRefused) log.warn("sums of the requests of a minute are lost: Redis has been away for too long");
    }
    last = { at, minute };
    return minute;
  };

  const writeAll = async () => {
    const current = minuteOf(now());
    for (const [at, minute] of minutes) {
      if (!minute.isWritten) {
        // What comes meanwhile is written the next time.
        minute.isWritten = true;
        try {
          await write(at, sumsOf(minute));
          isRefused = false;
        } catch (error) {
          minute.isWritten = false;
          // An outage of Redis is logged elsewhere; anything else, such as a missing right, once.
          if (error instanceof RedisAway || isRefused) continue;
          isRefused = true;
          log.warn({ err: error }, "who sends requests can't be written");
        }
      }
      if (at < current && minute.isWritten && minute !== last?.minute) minutes.delete(at);
    }
  };
  let writing: Promise<void> | undefined;
  const timer = setInterval(() => {
    writing ??= writeAll().finally(() => (writing = undefined));
  }, everyMs).unref();

  return {
    record({ account, keyId, address, route, status, ms, isSlow }) {
      const minute = minuteAt(minuteOf(now()));
      minute.isWritten = false;
      const sender = senderOf(minute, account ?? WITHOUT_KEY);
      sender.statuses.set(status, (sender.statuses.get(status) ?? 0) + 1);
      sender.ms += ms;
      if (isSlow) sender.slow++;
      count(rowOf(minute, sender.routes, route, MAX_ROWS), status, isSlow);
      if (account === undefined) {
        return count(rowOf(minute, sender.addresses, networkOf(address), MAX_NETWORKS), status, isSlow);
      }
      if (keyId !== undefined) count(rowOf(minute, sender.keys, keyId, MAX_OF_ACCOUNT), status, isSlow);
      const known = sender.addresses.get(address);
      const row = known ?? rowOf(minute, sender.addresses, withoutZone(address), MAX_OF_ACCOUNT);
      count(row, status, isSlow);
    },
    async close() {
      clearInterval(timer);
      await writing;
      await writeAll();
    },
  };
}

/** The sender with a name; that of the others when there are too many. */
function senderOf({ senders }: Minute, name: string): Sender {
  const known = senders.get(name);
  if (known) return known;
  // The requests without a key always have a row.
  const isOther = name !== WITHOUT_KEY && senders.size >= MAX_ACCOUNTS;
  const there = isOther ? senders.get(OTHERS) : undefined;
  if (there) return there;
  const fresh = { statuses: new Map(), slow: 0, ms: 0, keys: new Map(), addresses: new Map(), routes: new Map() };
  senders.set(isOther ? OTHERS : name, fresh);
  return fresh;
}

/** The counts with a name; those of the others when there are too many of one sender or of all. */
function rowOf(minute: Minute, rows: Rows, name: string, most: number): Counts {
  const known = rows.get(name);
  if (known) return known;
  const hasRoom = rows.size < most && minute.rows < MAX_ROWS;
  const there = hasRoom ? undefined : rows.get(OTHERS);
  if (there) return there;
  const fresh: Counts = [0, 0, 0, 0];
  rows.set(hasRoom ? name : OTHERS, fresh);
  minute.rows++;
  return fresh;
}

function count(counts: Counts, status: number, isSlow: boolean): void {
  counts[0]++;
  if (status >= 500) counts[2]++;
  else if (status >= 400) counts[1]++;
  if (isSlow) counts[3]++;
}

/** A zone behind an IPv6 address is any text of the sender, where no proxy of ours wrote the address. */
const withoutZone = (address: string): string => (isIP(address) ? address.split("%", 1)[0]! : "unknown");
const networkOf = (address: string): string => (isIP(address) ? network(address) : "unknown");

/** As they are written. */
function sumsOf({ senders }: Minute): MinuteSums {
  const sums = [...senders].map(
    ([name, { statuses, slow, ms, keys, addresses, routes }]): [string, MinuteSums[string]] => [
      name,
      {
        statuses: Object.fromEntries(statuses),
        slow,
        ms: Math.round(ms),
        keys: Object.fromEntries(keys),
        addresses: Object.fromEntries(addresses),
        routes: Object.fromEntries(routes),
      },
    ],
  );
  return Object.fromEntries(sums);
}
