import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import { retryForever } from "@tranche/shared/engines/search/retry-forever";
import { RebuildFailed } from "./step.ts";

/** A node that restarts is back within this time, as a rule. */
const PLACED_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 1000;

/**
 * Gives new indices their replicas and waits for them: as long as Elasticsearch is building one, and at most `withinMs` while it builds
 * none. Throws RebuildFailed when some can't be placed.
 */
export async function addReplicas(
  client: Client,
  index: string[],
  replicas: number,
  withinMs: number = PLACED_WITHIN_MS,
): Promise<void> {
  if (replicas === 0) return;
  await retryForever(() => client.indices.putSettings({ index, settings: { number_of_replicas: replicas } }));
  for (let moved = Date.now(); ; await pause(LOOK_EVERY_MS)) {
    const { status, initializing_shards, unassigned_shards } = await retryForever(() =>
      client.cluster.health({ index }),
    );
    if (status === "green") return;
    if (initializing_shards > 0) moved = Date.now();
    if (Date.now() - moved > withinMs) {
      throw new RebuildFailed(
        `${unassigned_shards} of the new shards can't be placed (${replicas} ${replicas === 1 ? "replica" : "replicas"} of each): ` +
          "add nodes, or lower TRANCHE_REPLICAS; GET _cluster/allocation/explain gives the reasons",
      );
    }
  }
}

/** Replicas that new indices have from the start: with a single copy, losing one node would stop every write until the rebuild ends. */
export async function replicasFromStart(client: Client, replicas: number): Promise<number> {
  if (replicas === 0) return 0;
  const { number_of_data_nodes } = await retryForever(() => client.cluster.health());
  return Math.min(replicas, number_of_data_nodes - 1);
}
