import type { Installation } from "@tranche/operations/installation/installation";
import { isEngineError } from "@tranche/shared/search/client";
import { queuePrefix } from "@tranche/shared/queue/queues";
import { shownRedisAddress } from "@tranche/shared/redis/address";
import { shownAddress } from "@tranche/shared/search/wait";
import type { Middleware } from "koa";
import { OperatorError } from "../access/errors.ts";

const READ_WITHIN_MS = 5000;
const CHANGE_WITHIN_MS = 15_000;
const ANSWER_WITHIN_MS = 1000;

/** Operators' actions wait for engines that are away, without a limit. A page gets an answer that names the engine. */
export function answeredInTime(installation: Installation): Middleware {
  return async (ctx, next) => {
    const reads = ctx.method === "GET" || ctx.method === "HEAD";
    const late = Symbol("late");
    const first = await within(reads ? READ_WITHIN_MS : CHANGE_WITHIN_MS, next(), late).catch((error: Error) => {
      if (isEngineError(error)) return error;
      throw error;
    });
    if (first === undefined) return;
    const silent = await silentEngines(installation);
    const trouble = silent.length > 0 ? `${silent.join(" and ")} did not answer.` : "The engines are slow to answer.";
    const still = reads ? "" : " The change may still be made: the audit log will say.";
    const cause = first instanceof Error ? { cause: first } : {};
    throw new OperatorError("unavailable", trouble + still, cause);
  };
}

/** The engines that do not answer at this moment, with their addresses. */
async function silentEngines({ client, redis, settings }: Installation): Promise<string[]> {
  const answers = async (engine: string, address: string, ask: () => Promise<unknown>) => {
    const late = Symbol("late");
    const answer = await within(ANSWER_WITHIN_MS, ask(), late).catch(() => late);
    return answer === late ? [`${engine} at ${address}`] : [];
  };
  const silent = await Promise.all([
    answers("Elasticsearch", shownAddress(settings.ELASTICSEARCH_URL), () => client.cluster.health({ timeout: "1s" })),
    answers("Redis", shownRedisAddress(settings.REDIS_URL), () =>
      redis.exists(queuePrefix(settings.TRANCHE_NAMESPACE)),
    ),
  ]);
  return silent.flat();
}

async function within<T, L>(ms: number, work: Promise<T>, late: L): Promise<T | L> {
  const timeout = Promise.withResolvers<L>();
  const timer = setTimeout(() => timeout.resolve(late), ms);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
