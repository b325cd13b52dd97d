import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import { retryForever } from "./retry-forever.ts";

const LOOK_EVERY_MS = 100;

/**
 * Waits until existing indices can be searched: another process may have created one a moment ago, or Elasticsearch may still be
 * reading it. Waits without limit while Elasticsearch is away, and at most `withinSeconds` for missing shards.
 * @returns the indices that can't be searched even then
 */
export async function untilSearchable(client: Client, index: string[], withinSeconds: number): Promise<string[]> {
  const end = performance.now() + withinSeconds * 1000;
  for (;;) {
    const { indices } = await retryForever(() => client.cluster.health({ index, level: "indices" }));
    // The status is not enough: an index that is being created is yellow before it has a shard.
    const missing = Object.entries(indices ?? {}).flatMap(([name, { active_primary_shards, number_of_shards }]) =>
      active_primary_shards < number_of_shards ? [name] : [],
    );
    if (missing.length === 0 || performance.now() > end) return missing;
    await pause(LOOK_EVERY_MS);
  }
}
