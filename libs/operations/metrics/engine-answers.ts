import type { Client } from "@elastic/elasticsearch";
import { withTimeLimit } from "@tranche/shared/process/time-limit";
import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { isRefusing } from "@tranche/shared/engines/redis/refused-writes";

/** Connections wait for an engine that is away; requests for metrics or readiness do not. */
export const ANSWER_WITHIN_MS = 2000;

export type EngineAnswers = Record<"elasticsearch" | "redis", number | undefined>;

/**
 * How long each engine takes to answer, in seconds; undefined when it does not, or when Redis refuses a write of this connection. Of a Redis Cluster, the master of the queues is asked: any
 * other may answer while that one is away.
 */
export async function askEngines({
  client,
  redis,
  namespace,
}: {
  client: Client;
  redis: RedisClient;
  namespace: string;
}): Promise<EngineAnswers> {
  const timed = async (ask: () => Promise<unknown>) => {
    const start = performance.now();
    await withTimeLimit(ask(), ANSWER_WITHIN_MS);
    return (performance.now() - start) / 1000;
  };
  const [elasticsearch, redisSeconds] = await Promise.all(
    [() => client.cluster.health({ timeout: "1s" }), () => redis.exists(queuePrefix(namespace))].map((ask) =>
      timed(ask).catch(() => undefined),
    ),
  );
  return { elasticsearch, redis: isRefusing(redis) ? undefined : redisSeconds };
}

/** The engines that do not answer at this moment. */
export async function enginesAway(parts: Parameters<typeof askEngines>[0]): Promise<string[]> {
  const answers = await askEngines(parts);
  return Object.entries(answers).flatMap(([engine, seconds]) => (seconds === undefined ? [engine] : []));
}
