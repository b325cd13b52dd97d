import type { Client } from "@elastic/elasticsearch";
import type { Logger } from "@tranche/shared/log/logger";
import { createQueueConnection } from "@tranche/shared/queue/connection";
import { queuePrefix } from "@tranche/shared/queue/queues";
import { createSearchClient } from "@tranche/shared/search/client";
import { shownRedisAddress } from "@tranche/shared/redis/address";
import { onTrouble, reachRedis } from "@tranche/shared/redis/trouble";
import { shownAddress, waitForEngine } from "@tranche/shared/search/wait";
import type { Settings } from "@tranche/shared/settings/settings";
import type { RedisClient } from "@tranche/shared/redis/connect";

/** Connects to both engines. Waits a minute for them, then rejects with a text for people. */
export async function connect(settings: Settings, log: Logger): Promise<{ client: Client; redis: RedisClient }> {
  const { ELASTICSEARCH_URL, ELASTICSEARCH_API_KEY, ELASTICSEARCH_CA_FILE, REDIS_URL, REDIS_CA_FILE } = settings;
  const client = createSearchClient(
    { url: ELASTICSEARCH_URL, apiKey: ELASTICSEARCH_API_KEY, caFile: ELASTICSEARCH_CA_FILE },
    { connections: 16, requestTimeoutMs: 60_000 },
  );
  const redis = createQueueConnection(REDIS_URL, "tranche-indexer", REDIS_CA_FILE);
  onTrouble(redis, (reason) => log.warn({ reason }, "Redis is away"));
  const warn = (line: string) => log.warn(line);
  await waitForEngine("Elasticsearch", shownAddress(ELASTICSEARCH_URL), () => client.cluster.health(), warn);
  await waitForEngine(
    "Redis",
    shownRedisAddress(REDIS_URL),
    () => reachRedis(redis, queuePrefix(settings.TRANCHE_NAMESPACE)),
    warn,
  );
  return { client, redis };
}
