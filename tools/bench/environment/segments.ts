import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import { type IndexNames, READ_MODELS, type ReadModel } from "@tranche/shared/engines/search/index-names";

const LOOK_EVERY_MS = 200;

/** How many segments the live index of each read model is in: every search goes through all of them. */
export async function segmentsOf(client: Client, names: IndexNames): Promise<Record<ReadModel, number>> {
  const counts = READ_MODELS.map(async (model) => {
    // Some benchmarks work in an installation of their own, and load nothing here.
    const found = await client.cat.segments({ index: names.role(model, "live"), format: "json" }, { ignore: [404] });
    return [model, Array.isArray(found) ? found.length : 0];
  });
  return Object.fromEntries(await Promise.all(counts)) as Record<ReadModel, number>;
}

/** Waits until no index is being merged by order, as a new one is after a rebuild: it would run into what is measured next. */
export async function untilMerged(client: Client): Promise<void> {
  for (;;) {
    const { nodes } = await client.tasks.list({ actions: "indices:admin/forcemerge*" });
    if (Object.keys(nodes ?? {}).length === 0) return;
    await pause(LOOK_EVERY_MS);
  }
}
