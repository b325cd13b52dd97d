import type { Client } from "@elastic/elasticsearch";

const BLOCKED_BY_DISK = "index.blocks.read_only_allow_delete";

/**
 * Those of the indices that can't take every write: they are not there, lack a primary shard, or Elasticsearch has closed them because a
 * disk is nearly full.
 */
export async function unwritable(client: Client, indices: readonly string[]): Promise<ReadonlySet<string>> {
  const index = [...indices];
  const [{ indices: health = {} }, settings] = await Promise.all([
    client.cluster.health({ index, level: "indices" }),
    client.indices.getSettings({ index, name: BLOCKED_BY_DISK, flat_settings: true, ignore_unavailable: true }),
  ]);
  const isBlocked = (name: string) => {
    const flat: Record<string, unknown> | undefined = settings[name]?.settings;
    return String(flat?.[BLOCKED_BY_DISK]) === "true";
  };
  return new Set(
    indices.filter((name) => {
      const found = health[name];
      return !found || found.active_primary_shards < found.number_of_shards || isBlocked(name);
    }),
  );
}
