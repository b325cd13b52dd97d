import type { Client } from "@elastic/elasticsearch";
import { elasticsearchOf, waitForEngines } from "@tranche/shared/engines/from-settings";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { onConnectionError } from "@tranche/shared/engines/redis/connection-errors";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { type IndexNames, indexNames } from "@tranche/shared/engines/search/index-names";
import type { Logger } from "@tranche/shared/process/logger";
import type { Settings } from "@tranche/shared/process/settings";
import { createTiming, type Timing } from "@tranche/shared/process/timing";
import { createDashboardMetrics, type DashboardMetrics } from "./metrics.ts";
import { createRequestsConnection } from "./requests/redis.ts";

/** The clients, names and log that every step of the start needs. */
export type Base = {
  settings: Settings;
  log: Logger;
  client: Client;
  redis: RedisClient;
  names: IndexNames;
  namespace: string;
  timing: Timing;
  metrics: DashboardMetrics;
};

/** Connects to both engines, and waits until they answer. */
export async function connectEngines(settings: Settings, log: Logger): Promise<Base> {
  const { TRANCHE_NAMESPACE: namespace } = settings;
  const client = createSearchClient(elasticsearchOf(settings), { connections: 8, requestTimeoutMs: 10_000 });
  const redis = createRequestsConnection(settings.REDIS_URL, settings.REDIS_CA_FILE);
  onConnectionError(redis, (reason) => log.debug({ reason }, "the connection to Redis failed"));
  await waitForEngines(settings, { client, redis }, (line) => log.warn(line));
  return {
    settings,
    log,
    client,
    redis,
    names: indexNames(namespace),
    namespace,
    timing: createTiming(settings.TRANCHE_PAUSES),
    metrics: createDashboardMetrics(namespace),
  };
}
