import type { Client } from "@elastic/elasticsearch";
import { addMissingReplicas, ensureIndices } from "@tranche/read-models/indices/creation";
import { dayOfTime, isoDay } from "@tranche/shared/domain/time/day";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import type { Logger } from "@tranche/shared/process/logger";
import type { Settings } from "@tranche/shared/process/settings";
import type { Tracing } from "@tranche/shared/process/tracing";
import { MAX_WAITING_JOBS } from "@tranche/shared/protocol/queue/enqueue";
import { JOB_OPTIONS, QUEUES, UPKEEP_JOBS } from "@tranche/shared/protocol/queue/queues";
import type { Worker } from "bullmq";
import { type Base, createBase } from "./base.ts";
import { createWork, type Work } from "./create-work.ts";
import { reconcileFeed } from "./feed-serving/reconcile.ts";
import { storeHorizons } from "./feed-serving/store-horizons.ts";
import { createDigestParts } from "./follows/create.ts";
import { makeDigests } from "./follows/make-digests.ts";
import type { VersionGate } from "./jobs/version-gate.ts";
import { shutDown } from "./shutdown.ts";
import { supervise } from "./supervise.ts";
import { checkForEarlierDay, type DayStore } from "./upkeep/clock-day.ts";
import { forbidImplicitIndices } from "./upkeep/no-implicit-indices.ts";
import { schedule } from "./upkeep/schedule.ts";
import { watchOpenWrites } from "./upkeep/watch-open-writes.ts";
import { watchTickets } from "./upkeep/watch-tickets.ts";
import { followChanges } from "./webhooks/follow.ts";
import { createLeader, type Leader } from "./workers/leader.ts";

/**
 * Wires one indexer process. Resolves when it takes jobs and its start is over. Calls `closeBy` when it begins to take jobs: from then
 * on the process has to end in that order.
 */
export async function serve(
  settings: Settings,
  log: Logger,
  engines: { client: Client; redis: RedisClient; tracing?: Tracing | undefined },
  closeBy: (close: (reason: string) => Promise<void>) => void,
): Promise<void> {
  let leader: Leader | undefined;
  const base = createBase(settings, log, engines, () => leader);
  await prepareIndices(base);
  const supervision = await supervise(base);
  const { gate, watchdog, health } = supervision;
  // Before anything is written: the indices may be of a later version, and those of an earlier one get the fields of this one.
  await gate.untilOpen();

  const ending = new AbortController();
  const work = createWork(base, supervision, ending.signal);
  leader = leadIngest(base, gate, work.workers);
  closeBy(async (reason) => {
    await shutDown(reason, { ending, workers: work.workers, tickets: work.feed.tickets, log });
    await health?.close();
    await engines.tracing?.close();
  });
  await catchUp(base, work, ending.signal);
  void leader?.follow(ending.signal);
  void watchdog.watch(ending.signal);
  announceChanges(base, work, ending.signal);
  const { TRANCHE_INDEXER_CONCURRENCY: concurrency } = settings;
  log.info(
    { namespace: base.namespace, concurrency, ...(health && { metricsAddress: health.address }) },
    "the indexer takes jobs",
  );
}

async function prepareIndices({ client, names, layout, log }: Base): Promise<void> {
  if (!(await forbidImplicitIndices(client, names))) {
    log.warn(
      "the credentials may not manage index templates: if an index is missing, such as during a restore, a write creates one without mappings",
    );
  }
  await addMissingReplicas(client, await ensureIndices(client, names, layout), layout.replicas);
}

/** Looks for what happened while no indexer ran: to Redis, to the feed, and to the clock. */
async function catchUp(base: Base, { feed, days }: Work, until: AbortSignal): Promise<void> {
  const { queues, redis, namespace, log, timing } = base;
  await schedule(queues);
  // The first ticket shows whether Redis lost its data while no indexer ran.
  await feed.tickets.take();
  void watchTickets(feed.tickets, log);
  void watchOpenWrites({ redis, namespace, log, everyMs: timing.openWrites }, until);
  await reconcileFeed(feed);
  // From the beginning of the epoch on.
  void storeHorizons(feed, until);
  await catchUpWithClock(base, days, feed.now());
}

/** Follows the feed for webhooks and for follows by mail. */
function announceChanges({ queues, timing }: Base, { feed, webhooks }: Work, until: AbortSignal): void {
  if (webhooks) void followChanges({ ...webhooks, queue: queues.webhooks, lookEveryMs: timing.webhooksLook }, until);
  void makeDigests(createDigestParts({ ...feed, now: Date.now, lookEveryMs: timing.followsLook }), until);
}

/** Undefined when the settings let every indexer take ingest jobs. */
function leadIngest(
  { settings, redis, namespace, queues, activity, log }: Base,
  gate: VersionGate,
  workers: readonly Worker[],
): Leader | undefined {
  if (settings.TRANCHE_INGEST_LEADER !== "on") return undefined;
  return createLeader({
    redis,
    namespace,
    worker: workers.find(({ name }) => name === QUEUES.ingest)!,
    waiting: () => queues.ingest.getWaitingCount(),
    jobs: () => activity.of(QUEUES.ingest),
    gate,
    // An ingest never has more waiting jobs than twice this.
    helpFrom: Math.min(settings.TRANCHE_INDEXER_CONCURRENCY, MAX_WAITING_JOBS / 2),
    log,
  });
}

/** Asks for the derivations that the clock has made necessary while no indexer ran. */
async function catchUpWithClock({ queues, log }: Base, days: DayStore, now: number): Promise<void> {
  await checkForEarlierDay(days, isoDay(dayOfTime(now)), async (noted) => {
    log.warn({ noted }, "the clock is on an earlier day than before: every document is derived afresh");
    await queues.upkeep.add(UPKEEP_JOBS.rederive, undefined, {
      ...JOB_OPTIONS,
      deduplication: { id: "rederive", keepLastIfActive: true },
    });
  });
  // If the clock was set to a later day while no indexer ran, the due documents change now and not in 30 s.
  await queues.due.add("due", undefined, JOB_OPTIONS);
}
