import { connectRedis, type RedisClient } from "@tranche/shared/engines/redis/connect";

const CONNECT_WITHIN_MS = 1000;
const RETRY_EVERY_MS = 100;
/** A failover of one master of a Cluster ends the outage of its accounts at most this late. */
const SLOTS_EVERY_MS = 1000;

/**
 * The connection of the counters. A command is sent once or not at all: one that was sent before a connection broke may have
 * been counted, and would be counted twice.
 */
export function createCountersConnection(url: string, caFile: string | undefined): RedisClient {
  return connectRedis(url, caFile, {
    connectionName: "tranche-api-counters",
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    connectTimeout: CONNECT_WITHIN_MS,
    retryStrategy: () => RETRY_EVERY_MS,
    slotsEveryMs: SLOTS_EVERY_MS,
  });
}
