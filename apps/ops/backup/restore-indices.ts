import { setTimeout as pause } from "node:timers/promises";
import { ensureIndices } from "@tranche/read-models/indices/creation";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { refreshed } from "@tranche/shared/engines/search/refreshed";
import type { Engines } from "../context/connect.ts";
import type { Ops } from "../context/ops.ts";
import { Failure } from "../terminal/failure.ts";
import { createProgress } from "../terminal/progress.ts";
import type { Marker } from "./marker.ts";
import { storesOf } from "./stores.ts";

/** Deletes the empty indices, and restores those of the snapshot in their place. */
export async function restoreIndices(
  ops: Ops,
  engines: Engines,
  { repository, snapshot }: Marker,
  indices: readonly string[],
): Promise<void> {
  const { client, names, settings } = engines;
  const stores = storesOf(names).map(({ index }) => index);
  const models = READ_MODELS.map((model) => `${names.role(model, "live")}-*`);
  const there = Object.keys(await client.indices.get({ index: [...stores, ...models], ignore_unavailable: true }));
  if (there.length > 0) await client.indices.delete({ index: there });
  await client.snapshot
    .restore({
      repository,
      snapshot,
      indices: [...indices],
      include_aliases: true,
      include_global_state: false,
      // A store that was closed to writes is so in the snapshot, too.
      ignore_index_settings: ["index.blocks.write"],
      wait_for_completion: false,
    })
    .catch((error: Error) => {
      if (!error.message.includes("same name already exists")) throw error;
      throw new Failure(
        "A process created an index again while the snapshot was about to be restored. Stop all indexers, API processes and dashboards, and run the restore again.",
      );
    });
  await untilRestored(ops, engines, indices);
  const layout = { shards: settings.TRANCHE_SHARDS, replicas: settings.TRANCHE_REPLICAS };
  // Stores that the version of the snapshot did not have.
  await ensureIndices(client, names, layout);
  await refreshed(client, stores);
}

async function untilRestored(ops: Ops, { client, timing }: Engines, indices: readonly string[]): Promise<void> {
  const progress = createProgress(ops.terminal);
  progress.begin("restoring", indices.length, "indices");
  try {
    for (;;) {
      const health = await client.cluster.health({ index: [...indices], level: "indices" });
      const states = Object.values(health.indices ?? {});
      const ready = states.filter((each) => each.active_primary_shards === each.number_of_shards);
      progress.at(ready.length);
      if (states.length === indices.length && ready.length === indices.length) return;
      const rows = await client.cat.shards({
        index: [...indices],
        h: ["index", "prirep", "state", "unassigned.reason", "unassigned.details"],
        format: "json",
      });
      const failed = rows.find((row) => row.prirep === "p" && row["unassigned.reason"] === "ALLOCATION_FAILED");
      if (failed) {
        throw new Failure(
          `Elasticsearch could not restore ${failed.index}: ${failed["unassigned.details"]}. Run the restore again when the cause is removed, or choose another snapshot after deleting the indices.`,
        );
      }
      await pause(timing.commandLook);
    }
  } finally {
    progress.stop();
  }
}
