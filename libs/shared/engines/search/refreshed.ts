import type { Client, estypes } from "@elastic/elasticsearch";
import { isStoreIndex } from "./index-names.ts";
import { type OnRetry, PartialAnswer, retryForever } from "./retry-forever.ts";

/**
 * Refreshes indices (or aliases) and waits until every shard that searches use has done so; without end, while a primary is away.
 * Elasticsearch says 200 also when a primary was not there to be refreshed, and then reports only that fewer copies took part. Missing
 * replicas are not a reason to wait. An index of a read model that is not there has nothing to refresh; one of the store is waited for.
 */
export function refreshed(client: Client, index: string | readonly string[], onRetry?: OnRetry): Promise<void> {
  // The answer to a missing index has no shards.
  const refresh = async () => (await client.indices.refresh({ index: [index].flat() }, { ignore: [404] }))._shards;
  return retryForever(async () => {
    const first = await refresh();
    const missing = first ? undefined : [index].flat().find(isStoreIndex);
    // Nothing was refreshed, although the others are there.
    if (missing !== undefined)
      throw new PartialAnswer(`one of the indices beside ${missing} is missing: is it being restored?`);
    if (!first || isWhole(first)) return;
    const active = await activeShards(client, index);
    const again = await refresh();
    if (again && (again.failed > 0 || again.successful < active)) throw new PartialAnswer("a shard was not refreshed");
  }, onRetry);
}

const isWhole = ({ failed, successful, total }: estypes.ShardStatistics): boolean =>
  failed === 0 && successful === total;

/** How many copies of shards are there. Throws PartialAnswer when a primary is not. */
async function activeShards(client: Client, index: string | readonly string[]): Promise<number> {
  const health = await client.cluster.health({ index: [index].flat(), level: "indices" });
  for (const [name, each] of Object.entries(health.indices ?? {})) {
    if (each.active_primary_shards < each.number_of_shards) {
      throw new PartialAnswer(`a primary shard of ${name} is not there, so it can't be refreshed`);
    }
  }
  return health.active_shards;
}
