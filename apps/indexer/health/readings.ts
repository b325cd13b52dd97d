import type { Client } from "@elastic/elasticsearch";
import { readLag } from "@tranche/operations/status/lag";
import { generationKey } from "@tranche/shared/generations/generation";
import { isRunning, type RebuildStore } from "@tranche/shared/rebuild/state";
import { READ_MODELS } from "@tranche/shared/search/index-names";
import type { RedisClient } from "@tranche/shared/redis/connect";
import type { IndexerQueues } from "../queues.ts";
import { withTimeLimit } from "../time-limit.ts";
import type { Readings } from "./metrics.ts";

/** Connections wait for an engine that is away; whoever asks for metrics or readiness does not. */
const ANSWER_WITHIN_MS = 2000;

export type ReadingsParts = {
  client: Client;
  redis: RedisClient;
  namespace: string;
  queues: IndexerQueues;
  rebuilds: Pick<RebuildStore, "read">;
};

/** How long each engine takes to answer, in seconds; undefined when it does not. */
export async function askEngines({
  client,
  redis,
}: Pick<ReadingsParts, "client" | "redis">): Promise<Readings["engines"]> {
  const timed = async (ask: () => Promise<unknown>) => {
    const start = performance.now();
    await withTimeLimit(ask(), ANSWER_WITHIN_MS);
    return (performance.now() - start) / 1000;
  };
  const [elasticsearch, redisSeconds] = await Promise.all(
    [() => client.cluster.health({ timeout: "1s" }), () => redis.ping()].map((ask) =>
      timed(ask).catch(() => undefined),
    ),
  );
  return { elasticsearch, redis: redisSeconds };
}

/** Reads what the metrics show beside what this process counts itself. Never rejects. */
export async function readReadings(parts: ReadingsParts): Promise<Readings> {
  const { queues, redis, namespace, rebuilds } = parts;
  const orNone = <T>(reading: Promise<T>) => withTimeLimit(reading, ANSWER_WITHIN_MS).catch(() => undefined);
  const counts = Promise.all(
    Object.values(queues).map(async (queue) => ({ queue: queue.name, counts: await queue.getJobCounts() })),
  );
  const generations = Promise.all(
    READ_MODELS.map(async (model) => ({ model, generation: Number(await redis.get(generationKey(namespace, model))) })),
  );
  const rebuild = rebuilds.read().then((read) => {
    const { written = 0, expected = 0 } = read?.rebuild ?? {};
    return { running: read !== undefined && isRunning(read.rebuild), written, expected };
  });
  const [found, lag, known, rebuilding, engines] = await Promise.all([
    orNone(counts),
    orNone(readLag(queues.ingest, [queues.derive, queues.investors], Date.now())),
    orNone(generations),
    orNone(rebuild),
    askEngines(parts),
  ]);
  return {
    queues: found,
    oldestJobSeconds: lag === undefined ? undefined : lag.oldest_job_seconds,
    generations: known,
    rebuild: rebuilding,
    engines,
  };
}
