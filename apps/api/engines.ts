import type { Client } from "@elastic/elasticsearch";
import { ensureOrAwaitIndices } from "@tranche/read-models/indices/presence";
import { elasticsearchOf, waitForEngines } from "@tranche/shared/engines/from-settings";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import { onConnectionError } from "@tranche/shared/engines/redis/connection-errors";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { type IndexNames, indexNames } from "@tranche/shared/engines/search/index-names";
import { untilSearchable } from "@tranche/shared/engines/search/searchable";
import type { Logger } from "@tranche/shared/process/logger";
import type { Settings } from "@tranche/shared/process/settings";
import { createTiming, type Timing } from "@tranche/shared/process/timing";
import { createCountersConnection } from "./redis/connection.ts";
import { createRedisGateway, type RedisGateway } from "./redis/gateway.ts";
import type { Metrics } from "./serve/metrics.ts";
import { STATISTICS_WITHIN_MS } from "./stats/summary.ts";

/** A search that takes longer is cancelled, so that the caller gets a 503 before it gives up itself. */
export const SEARCH_TIMEOUT_MS = 8000;
const STATISTICS_CONNECTIONS = 8;
/** How long the start waits for indices that exist but cannot be searched yet. */
const SEARCHABLE_WITHIN_S = 30;

/** The clients, names, log and metrics that every step of the start needs. */
export type Base = {
  settings: Settings;
  log: Logger;
  metrics: Metrics;
  client: Client;
  /** For statistics, which may take longer: the connections of a client end all of its requests after the same time. */
  patientClient: Client;
  redis: RedisClient;
  gateway: RedisGateway;
  names: IndexNames;
  namespace: string;
  timing: Timing;
};

/** Connects to both engines, and waits until they answer and the indices are there. */
export async function connectEngines(settings: Settings, log: Logger, metrics: Metrics): Promise<Base> {
  const { TRANCHE_NAMESPACE: namespace } = settings;
  const names = indexNames(namespace);
  const client = createSearchClient(elasticsearchOf(settings), {
    connections: 32,
    requestTimeoutMs: SEARCH_TIMEOUT_MS + 1000,
  });
  const patientClient = createSearchClient(elasticsearchOf(settings), {
    connections: STATISTICS_CONNECTIONS,
    requestTimeoutMs: STATISTICS_WITHIN_MS + 1000,
  });
  // Requests never wait for Redis to come back: they fail at once.
  const redis = createCountersConnection(settings.REDIS_URL, settings.REDIS_CA_FILE);
  // ioredis reconnects after each error; the gateway logs what people need to know.
  onConnectionError(redis, (reason) => log.debug({ reason }, "the connection to Redis failed"));

  const tell = (line: string) => log.warn(line);
  await waitForEngines(settings, { client, redis }, tell);
  const layout = { shards: settings.TRANCHE_SHARDS, replicas: settings.TRANCHE_REPLICAS };
  const indices = await ensureOrAwaitIndices(client, names, layout, tell);
  const unsearchable = await untilSearchable(client, indices, SEARCHABLE_WITHIN_S);
  if (unsearchable.length > 0) {
    log.error(
      { indices: unsearchable },
      "these indices have no shard to search; requests that need them get 503 until Elasticsearch has them again",
    );
  }
  const report = metrics.redisAway;
  const gateway = createRedisGateway(redis, { key: queuePrefix(namespace), report, log, now: Date.now });
  const timing = createTiming(settings.TRANCHE_PAUSES);
  return { settings, log, metrics, client, patientClient, redis, gateway, names, namespace, timing };
}
