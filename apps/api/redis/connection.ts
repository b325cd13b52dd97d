import { redisTls } from "@tranche/shared/queue/connection";
import { Redis } from "ioredis";

const CONNECT_WITHIN_MS = 1000;
const RETRY_EVERY_MS = 100;

/**
 * The connection of the counters. A command is sent once or not at all: one that was sent before a connection broke may have
 * been counted, and would be counted twice.
 */
export function createCountersConnection(url: string, caFile: string | undefined): Redis {
  return new Redis(url, {
    ...redisTls(caFile),
    connectionName: "tranche-api-counters",
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    connectTimeout: CONNECT_WITHIN_MS,
    retryStrategy: () => RETRY_EVERY_MS,
  });
}
