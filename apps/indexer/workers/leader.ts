import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { OWN_VERSIONS } from "@tranche/read-models/indices/versions";
import type { Logger } from "@tranche/shared/process/logger";
import { JOB_FORMATS } from "@tranche/shared/protocol/queue/formats";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { endLease, isLeased, takeLease } from "@tranche/shared/engines/redis/lease";
import type { VersionGate } from "../jobs/version-gate.ts";

const LOOK_EVERY_MS = 500;
/** A leader that dies loses the lead after this time. */
const LEASE_MS = 3000;
/** A leader whose jobs make no progress for this long gives up the lead: it may be cut off from Elasticsearch. */
const STUCK_AFTER_MS = 15_000;

/** Higher in every version that changes what it writes or reads, because none of these numbers ever falls. */
const OWN_RANK = [...Object.values(OWN_VERSIONS), ...Object.values(JOB_FORMATS)].reduce(
  (sum, version) => sum + version,
);

/** The Redis key of the lead; its value is the rank and id of the leader. */
export const leaderKey = (namespace: string) => `{${namespace}}:ingest-leader`;

export type Leader = {
  /** Whether this indexer leads, as far as it knows. */
  leads(): boolean;
  /** Whether this indexer takes no ingest jobs, because another one does. */
  standsBy(): boolean;
  /** Takes or renews the lead if it can, and takes jobs or stands by. */
  look(): Promise<void>;
  /** Repeats `look` until aborted, then gives up the lead at once. */
  follow(until: AbortSignal): Promise<void>;
};

type LeaderParts = {
  redis: RedisClient;
  namespace: string;
  /** The worker of the ingest queue. */
  worker: {
    isPaused(): boolean;
    pause(doNotWaitActive: boolean): Promise<void>;
    resume(): void | Promise<void>;
  };
  /** The number of waiting ingest jobs. */
  waiting: () => Promise<number>;
  /** Ingest jobs that this process works on, and how many it has begun since its start. */
  jobs: () => { open: number; begun: number };
  /** `closed`: the gate has paused the worker. `leavesJobs`: this process has met jobs of a later version. */
  gate: Pick<VersionGate, "closed" | "leavesJobs">;
  /** The other indexers help when at least this many jobs wait. */
  helpFrom: number;
  log: Pick<Logger, "info">;
  /** A leader with a higher rank takes the lead from one with a lower rank. Default: that of this version. */
  rank?: number;
  now?: () => number;
};

/**
 * Lets one indexer take the ingest jobs. Each batch costs refreshes and a new generation, so several indexers that share a small stream
 * would multiply both. The others stand by and help with a backlog. During an upgrade the newest version leads. Two leaders, or none for a moment, change only the pace.
 */
export function createLeader(parts: LeaderParts): Leader {
  const { worker, jobs, gate, log, rank = OWN_RANK, now = Date.now } = parts;
  const lease = { redis: parts.redis, key: leaderKey(parts.namespace), holder: `${rank}:${randomUUID()}` };
  let leads = false;
  let progress = { ended: 0, at: now() };

  /** Whether there are jobs and none has ended for a while. */
  const isStuck = (waiting: number): boolean => {
    const { open, begun } = jobs();
    const ended = begun - open;
    if (open + waiting === 0 || ended !== progress.ended) progress = { ended, at: now() };
    return now() - progress.at > STUCK_AFTER_MS;
  };
  const setLeads = (isLeader: boolean) => {
    if (leads !== isLeader)
      log.info(isLeader ? "this indexer leads: it takes ingest jobs" : "this indexer no longer leads");
    leads = isLeader;
  };
  const giveUp = async () => {
    if (leads) await endLease(lease).catch(() => {});
    setLeads(false);
  };
  const leader: Leader = {
    leads: () => leads,
    standsBy: () => !leads && worker.isPaused(),
    async look() {
      if (gate.closed() !== undefined) return giveUp();
      const waiting = await parts.waiting();
      const mayLead = !isStuck(waiting) && !gate.leavesJobs();
      if (mayLead) setLeads(await takeLease(lease, LEASE_MS));
      else await giveUp();
      // Without a leader this indexer takes jobs.
      const takes = leads || waiting >= parts.helpFrom || !(mayLead || (await isLeased(lease)));
      if (takes && worker.isPaused() && gate.closed() === undefined) await worker.resume();
      // One that helps goes on until nothing waits. Jobs in progress continue.
      if (!takes && !worker.isPaused() && (waiting === 0 || !mayLead)) await worker.pause(true);
    },
    async follow(until) {
      while (!until.aborted) {
        // Without Redis there are no jobs either.
        await leader.look().catch(() => {});
        await sleep(LOOK_EVERY_MS, undefined, { signal: until, ref: false }).catch(() => {});
      }
      if (leads) await endLease(lease).catch(() => {});
    },
  };
  return leader;
}
