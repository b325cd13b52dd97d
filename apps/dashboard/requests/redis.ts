import { redisTls } from "@tranche/shared/queue/connection";
import { Redis } from "ioredis";

const ANSWER_WITHIN_MS = 2000;
const CONNECT_WITHIN_MS = 1000;
const RETRY_EVERY_MS = 500;

/** The connection of requests: while Redis is away, a command fails within 2 s, because somebody waits for the answer. */
export function createRequestsConnection(url: string, caFile: string | undefined): Redis {
  return new Redis(url, {
    ...redisTls(caFile),
    connectionName: "tranche-dashboard",
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    commandTimeout: ANSWER_WITHIN_MS,
    connectTimeout: CONNECT_WITHIN_MS,
    retryStrategy: () => RETRY_EVERY_MS,
  });
}

/** Resolves when Redis answers; rejects when it does not now. */
export async function reachRedis(redis: Redis): Promise<void> {
  if (redis.status === "wait") await redis.connect();
  await redis.ping();
}

/** Whether Redis did not answer. */
export const isRedisError = (error: Error): boolean =>
  error.name === "MaxRetriesPerRequestError" ||
  /^(Connection is closed|Stream isn't writeable|Command timed out)/.test(error.message);
