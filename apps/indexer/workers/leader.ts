import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@tranche/shared/log/logger";
import type { RedisClient } from "@tranche/shared/redis/connect";
import { endLease, isLeased, takeLease } from "@tranche/shared/redis/lease";

const LOOK_EVERY_MS = 500;
/** An indexer that dies leads no longer after this time. */
const LEASE_MS = 3000;
/** An indexer whose jobs have not ended for this long lets another one lead: it may be cut off from Elasticsearch. */
const STUCK_AFTER_MS = 15_000;

/** The key of which indexer leads. */
export const leaderKey = (namespace: string) => `{${namespace}}:ingest-leader`;

export type Leader = {
  /** Whether this indexer leads, as far as it knows. */
  leads(): boolean;
  /** Whether this indexer takes no jobs of records, because another one does. */
  standsBy(): boolean;
  /** Takes or renews the lead if it can, and takes jobs or stands by. */
  look(): Promise<void>;
  /** Looks again and again. When aborted, it lets another indexer lead at once. */
  follow(until: AbortSignal): Promise<void>;
};

export type LeaderParts = {
  redis: RedisClient;
  namespace: string;
  /** The worker that takes jobs of records. */
  worker: { isPaused(): boolean; pause(): Promise<void>; resume(): void | Promise<void> };
  /** Jobs of records that no indexer has taken yet. */
  waiting: () => Promise<number>;
  /** Jobs of records that this process works on, and those that it has begun at all. */
  jobs: () => { open: number; begun: number };
  /** Whether this process leaves jobs to a later version. */
  leavesJobs: () => boolean;
  /** The others help when this many jobs wait. */
  helpFrom: number;
  log: Pick<Logger, "info">;
  now?: () => number;
};

/**
 * Lets one of all indexers take the jobs of records. Each batch costs refreshes and a new generation, so indexers that share a small stream
 * of records would make as many of both as there are indexers. The others stand by, and help while a backlog waits. Two leaders at a time,
 * or none for a moment, do no harm: only the pace depends on it.
 */
export function createLeader(parts: LeaderParts): Leader {
  const { worker, jobs, log, now = Date.now } = parts;
  const lease = { redis: parts.redis, key: leaderKey(parts.namespace), holder: randomUUID() };
  let leads = false;
  /** Until the jobs in hand have ended. */
  let pausing = false;
  let progress = { ended: 0, at: now() };

  const isStuck = (): boolean => {
    const { open, begun } = jobs();
    const ended = begun - open;
    if (open === 0 || ended !== progress.ended) progress = { ended, at: now() };
    return now() - progress.at > STUCK_AFTER_MS;
  };
  const setLeads = (does: boolean) => {
    if (leads !== does) log.info(does ? "this indexer leads: it takes the records" : "this indexer leads no longer");
    leads = does;
  };
  const standBy = () => {
    if (worker.isPaused()) return;
    pausing = true;
    void worker
      .pause()
      .catch(() => {})
      .finally(() => (pausing = false));
  };
  const leader: Leader = {
    leads: () => leads,
    standsBy: () => !leads && worker.isPaused(),
    async look() {
      const stuck = isStuck();
      if (stuck || (pausing && worker.isPaused()) || parts.leavesJobs()) {
        if (leads) await endLease(lease);
        setLeads(false);
        // While nobody else leads it goes on as before.
        if (await isLeased(lease)) standBy();
        return;
      }
      setLeads(await takeLease(lease, LEASE_MS));
      const waiting = leads ? 0 : await parts.waiting();
      if (leads || waiting >= parts.helpFrom) {
        if (worker.isPaused()) await worker.resume();
      } else if (waiting === 0) standBy();
    },
    async follow(until) {
      while (!until.aborted) {
        // Without Redis there are no jobs either.
        await leader.look().catch(() => {});
        await sleep(LOOK_EVERY_MS, undefined, { signal: until, ref: false }).catch(() => {});
      }
      if (leads) await endLease(lease);
    },
  };
  return leader;
}
