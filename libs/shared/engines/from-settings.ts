import type { Client } from "@elastic/elasticsearch";
import { queuePrefix } from "./redis/queue-prefix.ts";
import { shownRedisAddress } from "../process/redis-address.ts";
import type { RedisClient } from "./redis/connect.ts";
import { reachRedis } from "./redis/connection-errors.ts";
import type { SearchEngineAddress } from "./search/client.ts";
import { indexNames } from "./search/index-names.ts";
import { installationProblem } from "./search/installation-format.ts";
import { shownAddress, waitForEngine } from "./search/wait.ts";
import type { Settings } from "../process/settings.ts";

/** Where Elasticsearch is, and how it is reached. */
export const elasticsearchOf = (settings: Settings): SearchEngineAddress => ({
  url: settings.ELASTICSEARCH_URL,
  apiKey: settings.ELASTICSEARCH_API_KEY,
  caFile: settings.ELASTICSEARCH_CA_FILE,
});

/**
 * Waits for both engines, at most a minute for each. `tell` gets what it waits for. Rejects with a text for people when one stays away, or
 * when they hold an installation that this version can't use. Nothing was written then.
 */
export async function waitForEngines(
  settings: Settings,
  { client, redis }: { client: Client; redis: RedisClient },
  tell: (line: string) => void,
): Promise<void> {
  await waitForEngine("Elasticsearch", shownAddress(settings.ELASTICSEARCH_URL), () => client.cluster.health(), tell);
  const redisAnswers = () => reachRedis(redis, queuePrefix(settings.TRANCHE_NAMESPACE));
  await waitForEngine("Redis", shownRedisAddress(settings.REDIS_URL), redisAnswers, tell);
  const problem = await installationProblem(client, indexNames(settings.TRANCHE_NAMESPACE));
  if (problem !== undefined) throw new Error(problem);
}
