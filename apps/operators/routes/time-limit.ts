import type { Installation } from "@tranche/operations/installation/installation";
import { TooLate, withTimeLimit } from "@tranche/shared/process/time-limit";
import { isEngineError } from "@tranche/shared/engines/search/client";
import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import { shownRedisAddress } from "@tranche/shared/process/redis-address";
import { shownAddress } from "@tranche/shared/engines/search/wait";
import type { Middleware } from "koa";
import { PageError } from "@tranche/http/errors/page-error";

const READ_WITHIN_MS = 5000;
const CHANGE_WITHIN_MS = 15_000;
const ANSWER_WITHIN_MS = 1000;

/** Operators' actions wait for engines that are away, without a limit. A page gets an answer that names the engine. */
export function answeredInTime(installation: Installation): Middleware {
  return async (ctx, next) => {
    const reads = ctx.method === "GET" || ctx.method === "HEAD";
    const answered = withTimeLimit(next(), reads ? READ_WITHIN_MS : CHANGE_WITHIN_MS);
    const cause = await answered.catch((error: Error) => {
      if (error instanceof TooLate || isEngineError(error)) return error;
      throw error;
    });
    if (!cause) return;
    const silent = await silentEngines(installation);
    const trouble = silent.length > 0 ? `${silent.join(" and ")} did not answer.` : "The engines are slow to answer.";
    const still = reads ? "" : " The change may still be made: the audit log will say.";
    throw new PageError("unavailable", trouble + still, { cause });
  };
}

/** The engines that do not answer at this moment, with their addresses. */
async function silentEngines({ client, redis, settings }: Installation): Promise<string[]> {
  const answers = (engine: string, address: string, ask: () => Promise<unknown>): Promise<string[]> =>
    withTimeLimit(ask(), ANSWER_WITHIN_MS).then(
      () => [],
      () => [`${engine} at ${address}`],
    );
  const silent = await Promise.all([
    answers("Elasticsearch", shownAddress(settings.ELASTICSEARCH_URL), () => client.cluster.health({ timeout: "1s" })),
    answers("Redis", shownRedisAddress(settings.REDIS_URL), () =>
      redis.exists(queuePrefix(settings.TRANCHE_NAMESPACE)),
    ),
  ]);
  return silent.flat();
}
