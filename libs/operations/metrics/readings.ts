import type { Client } from "@elastic/elasticsearch";
import { oldestNoteSeconds } from "@tranche/shared/protocol/feed/oldest-note";
import { generationKey } from "@tranche/shared/protocol/generations/generation";
import { withTimeLimit } from "@tranche/shared/process/time-limit";
import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { createRebuildStore, type RebuildState } from "@tranche/shared/protocol/rebuild/state";
import { type IndexNames, READ_MODELS } from "@tranche/shared/engines/search/index-names";
import type { Queue } from "bullmq";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { outdatedIndices } from "@tranche/read-models/indices/state";
import { createLosses } from "../dead-letters/losses.ts";
import { readLag } from "../status/lag.ts";
import { ANSWER_WITHIN_MS, askEngines, type EngineAnswers } from "./engine-answers.ts";
import { readStored, type Stored } from "./stored.ts";

/** The figures of an installation that the metrics show. Undefined: the engine that knows it did not answer. */
export type Readings = {
  queues: { queue: string; counts: Record<string, number> }[] | undefined;
  /** Connected to the queue of records. */
  indexers: number | undefined;
  /** The age of the oldest job of ingest, follow-ups or investors that is not done, in seconds; null when there is none. */
  oldestJobSeconds: number | null | undefined;
  /** For how long the oldest note has held the horizon of the feed of changes, in seconds; null when there is none. */
  oldestNoteSeconds: number | null | undefined;
  deadLetters: { documents: number; jobs: number } | undefined;
  generations: { model: string; generation: number }[] | undefined;
  /** The last rebuild; null when there was none. */
  rebuild: { state: RebuildState; written: number; expected: number; updatedAt: number } | null | undefined;
  /** Losses of Redis that are not resolved. */
  losses: number | undefined;
  /** Whether documents of a live index lack fields or follow earlier rules. */
  rebuildDue: boolean | undefined;
  /** The actions of operators, from the audit log, and webhooks by status. */
  stored: Stored | undefined;
  engines: EngineAnswers;
};

export type ReadingsParts = {
  client: Client;
  redis: RedisClient;
  names: IndexNames;
  namespace: string;
  queue: (name: string) => Queue;
};

/** Reads what the metrics show beside what a process counts itself. Never rejects. */
export async function readReadings(parts: ReadingsParts): Promise<Readings> {
  const { client, redis, names, namespace, queue } = parts;
  const orNone = <T>(reading: Promise<T>) => withTimeLimit(reading, ANSWER_WITHIN_MS).catch(() => undefined);
  const worked = Object.values(QUEUES).filter((name) => name !== QUEUES.deadLetters);
  const counts = Promise.all(worked.map(async (name) => ({ queue: name, counts: await queue(name).getJobCounts() })));
  const generations = READ_MODELS.map(async (model) => ({
    model,
    generation: Number(await redis.get(generationKey(namespace, model))),
  }));
  const rebuild = async () => {
    const last = (await createRebuildStore(client, names).read())?.rebuild;
    if (!last) return null;
    const { state, written, expected, updated_at } = last;
    return { state, written, expected, updatedAt: Date.parse(updated_at) };
  };
  const due = async () =>
    (await outdatedIndices(client, names)).some(({ why }) => why.some((each) => each !== "newer"));
  const [found, indexers, documents, lag, note, known, last, losses, rebuildDue, stored, engines] = await Promise.all([
    orNone(counts),
    orNone(queue(QUEUES.ingest).getWorkersCount()),
    orNone(queue(QUEUES.deadLetters).getWaitingCount()),
    orNone(readLag({ redis, namespace, ingest: queue(QUEUES.ingest) }, Date.now())),
    orNone(oldestNoteSeconds(redis, namespace, Date.now())),
    orNone(Promise.all(generations)),
    orNone(rebuild()),
    orNone(createLosses(parts).open()),
    orNone(due()),
    orNone(readStored(client, names, Date.now())),
    askEngines(parts),
  ]);
  const jobs = found?.reduce((sum, each) => sum + (each.counts["failed"] ?? 0), 0);
  return {
    queues: found,
    indexers,
    oldestJobSeconds: lag === undefined ? undefined : lag.oldest_job_seconds,
    oldestNoteSeconds: note,
    deadLetters: documents === undefined || jobs === undefined ? undefined : { documents, jobs },
    generations: known,
    rebuild: last,
    losses: losses?.length,
    rebuildDue,
    stored,
    engines,
  };
}
