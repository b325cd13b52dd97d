import type { Client } from "@elastic/elasticsearch";
import { withTimeLimit } from "@tranche/shared/process/time-limit";
import type { RedisClient } from "@tranche/shared/redis/connect";

/** Connections wait for an engine that is away; whoever asks for metrics or readiness does not. */
export const ANSWER_WITHIN_MS = 2000;

export type EngineAnswers = Record<"elasticsearch" | "redis", number | undefined>;

/** How long each engine takes to answer, in seconds; undefined when it does not. */
export async function askEngines({ client, redis }: { client: Client; redis: RedisClient }): Promise<EngineAnswers> {
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
