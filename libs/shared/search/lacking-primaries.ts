import type { Client } from "@elastic/elasticsearch";

/** Those of the indices that are not there or lack a primary shard: they can't take every write. */
export async function lackingPrimaries(client: Client, indices: readonly string[]): Promise<ReadonlySet<string>> {
  const { indices: health = {} } = await client.cluster.health({ index: [...indices], level: "indices" });
  return new Set(
    indices.filter((index) => {
      const found = health[index];
      return !found || found.active_primary_shards < found.number_of_shards;
    }),
  );
}
