import type { Client } from "@elastic/elasticsearch";
import type { Logger } from "@tranche/shared/process/logger";
import { createQueueConnection } from "@tranche/shared/protocol/queue/connection";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { onConnectionError } from "@tranche/shared/engines/redis/connection-errors";
import { elasticsearchOf, waitForEngines } from "@tranche/shared/engines/from-settings";
import type { Settings } from "@tranche/shared/process/settings";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";

/** Connects to both engines. Waits a minute for them, then rejects with a text for people. */
export async function connect(settings: Settings, log: Logger): Promise<{ client: Client; redis: RedisClient }> {
  const client = createSearchClient(elasticsearchOf(settings), { connections: 16, requestTimeoutMs: 60_000 });
  const redis = createQueueConnection(settings.REDIS_URL, "tranche-indexer", settings.REDIS_CA_FILE);
  onConnectionError(redis, (reason) => log.warn({ reason }, "Redis is away"));
  await waitForEngines(settings, { client, redis }, (line) => log.warn(line));
  return { client, redis };
}
