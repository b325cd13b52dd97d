import { Redis } from "ioredis";

/**
 * A connection for queues and tickets: it waits for Redis to come back, for ever, with pauses of at most 2 s.
 * `maxRetriesPerRequest: null` is what BullMQ's workers ask for.
 */
export function createQueueConnection(url: string, name: string): Redis {
  return new Redis(url, {
    connectionName: name,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(100 * 2 ** Math.min(attempt, 5), 2000),
  });
}
