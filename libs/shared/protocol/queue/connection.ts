import { connectRedis, type RedisClient } from "../../engines/redis/connect.ts";

/** Longer than BullMQ's blocking commands wait, which is at most 10 s. */
const SILENT_AT_MOST_MS = 20_000;

/**
 * A connection for queues and tickets: it waits for Redis to come back, for ever, with pauses of at most 2 s.
 * A host that vanished without closing connections (power, network) is noticed by its silence; TCP would wait for 15 minutes.
 * `maxRetriesPerRequest: null` is what BullMQ's workers ask for.
 * `caFile`: PEM file of the authority that signed the certificate of Redis, where the system does not know it.
 */
export function createQueueConnection(url: string, name: string, caFile?: string): RedisClient {
  return connectRedis(url, caFile, {
    connectionName: name,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(100 * 2 ** Math.min(attempt, 5), 2000),
    socketTimeout: SILENT_AT_MOST_MS,
    slotsEveryMs: 5000,
  });
}
