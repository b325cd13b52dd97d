import { readFileSync } from "node:fs";
import { Redis, type RedisOptions } from "ioredis";

/**
 * A connection for queues and tickets: it waits for Redis to come back, for ever, with pauses of at most 2 s.
 * `maxRetriesPerRequest: null` is what BullMQ's workers ask for.
 * `caFile`: PEM file of the authority that signed the certificate of Redis, where the system does not know it.
 */
export function createQueueConnection(url: string, name: string, caFile?: string): Redis {
  return new Redis(url, {
    ...redisTls(caFile),
    connectionName: name,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(100 * 2 ** Math.min(attempt, 5), 2000),
  });
}

/** What a connection over `rediss://` needs besides the address. */
export function redisTls(caFile: string | undefined): Pick<RedisOptions, "tls"> {
  return caFile === undefined ? {} : { tls: { ca: readFileSync(caFile) } };
}
