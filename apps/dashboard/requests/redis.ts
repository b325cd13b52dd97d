import { refusesWrites } from "@tranche/shared/engines/redis/refused-writes";
import { connectRedis, type RedisClient } from "@tranche/shared/engines/redis/connect";

const ANSWER_WITHIN_MS = 2000;
const CONNECT_WITHIN_MS = 1000;
const RETRY_EVERY_MS = 500;
const SLOTS_EVERY_MS = 2000;

/** The connection of requests: while Redis is away, a command fails within 2 s, because somebody waits for the answer. */
export function createRequestsConnection(url: string, caFile: string | undefined): RedisClient {
  return connectRedis(url, caFile, {
    connectionName: "tranche-dashboard",
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    commandTimeout: ANSWER_WITHIN_MS,
    connectTimeout: CONNECT_WITHIN_MS,
    retryStrategy: () => RETRY_EVERY_MS,
    slotsEveryMs: SLOTS_EVERY_MS,
  });
}

/** Whether Redis did not answer, or takes no writes. */
export const isRedisError = (error: Error): boolean =>
  error.name === "MaxRetriesPerRequestError" ||
  refusesWrites(error) ||
  /^(CLUSTERDOWN|LOADING|Too many Cluster redirections|Cluster isn't ready|Connection is closed|Stream isn't writeable|Command timed out)/.test(
    error.message,
  );
