import { readModelIndex } from "@tranche/read-models/indices/mappings";
import { createIndex } from "./create-index.ts";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { retryForever } from "@tranche/shared/engines/search/retry-forever";
import { replicasFromStart } from "./replicas.ts";
import type { StepFunction } from "./step.ts";

/**
 * Creates the new indices. On one data node replicas are added when the indices are full; on several, the indices have them from the
 * start.
 */
export const create: StepFunction = async (parts, read) => {
  const { client, names } = parts;
  const layout = { ...parts.layout, replicas: await replicasFromStart(client, parts.layout.replicas) };
  for (const model of READ_MODELS) {
    const index = read.rebuild.indices[model];
    if (await retryForever(() => client.indices.exists({ index }))) continue;
    await createIndex(client, {
      index,
      aliases: { [names.ownAlias(index)]: {} },
      ...readModelIndex(model, layout),
      // Before the first write: a node that is lost while the replicas are made would take shards of the new index away.
      wait_for_active_shards: "all",
      timeout: "30s",
    });
  }
  return parts.rebuilds.save(read, { state: "created" });
};
