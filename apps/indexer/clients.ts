import type { Client } from "@elastic/elasticsearch";
import type { Logger } from "@tranche/shared/log/logger";
import { createQueueConnection } from "@tranche/shared/queue/connection";
import { createSearchClient } from "@tranche/shared/search/client";
import { shownAddress, waitForEngine } from "@tranche/shared/search/wait";
import type { Settings } from "@tranche/shared/settings/settings";
import type { Redis } from "ioredis";
import { withTimeLimit } from "./time-limit.ts";

/** Connects to both engines. Waits a minute for them, then rejects with a text for people. */
export async function connect(settings: Settings, log: Logger): Promise<{ client: Client; redis: Redis }> {
  const { ELASTICSEARCH_URL, ELASTICSEARCH_API_KEY, ELASTICSEARCH_CA_FILE, REDIS_URL, REDIS_CA_FILE } = settings;
  const client = createSearchClient(
    { url: ELASTICSEARCH_URL, apiKey: ELASTICSEARCH_API_KEY, caFile: ELASTICSEARCH_CA_FILE },
    { connections: 16, requestTimeoutMs: 60_000 },
  );
  const redis = createQueueConnection(REDIS_URL, "tranche-indexer", REDIS_CA_FILE);
  redis.on("error", (error) => log.warn({ reason: error.message }, "Redis is away"));
  const warn = (line: string) => log.warn(line);
  await waitForEngine("Elasticsearch", shownAddress(ELASTICSEARCH_URL), () => client.cluster.health(), warn);
  await waitForEngine("Redis", shownAddress(REDIS_URL), () => withTimeLimit(redis.ping(), 2000), warn);
  return { client, redis };
}
