import type { Client } from "@elastic/elasticsearch";
import { closedBy } from "./closed-by.ts";

/**
 * Those of the indices that can't take every write: they are not there, lack a primary shard, or Elasticsearch has closed them because a
 * disk is nearly full.
 */
export async function unwritable(client: Client, indices: readonly string[]): Promise<ReadonlySet<string>> {
  const [{ indices: health = {} }, closed] = await Promise.all([
    client.cluster.health({ index: [...indices], level: "indices" }),
    closedBy(client, indices),
  ]);
  return new Set(
    indices.filter((index) => {
      const found = health[index];
      return !found || found.active_primary_shards < found.number_of_shards || closed.get(index) === "disk";
    }),
  );
}
