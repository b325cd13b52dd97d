import { readModelIndex } from "@tranche/read-models/indices/mappings";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { type OnRetry, retryForever } from "@tranche/shared/engines/search/retry-forever";
import { replicasFromStart } from "./replicas.ts";
import type { StepFunction } from "./step.ts";
import type { Client, estypes } from "@elastic/elasticsearch";
import { refusalOf } from "@tranche/shared/engines/search/client";

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

/** `placed`: all copies that were waited for are there. `existed`: another process made it, or the reply to an earlier try was lost. */
type CreatedIndex = "placed" | "not placed" | "existed";

/** Creates an index of a name that is used once. Throws the engine's error when it refuses the index itself. */
async function createIndex(
  client: Client,
  request: estypes.IndicesCreateRequest,
  onRetry?: OnRetry,
): Promise<CreatedIndex> {
  try {
    const { shards_acknowledged } = await retryForever(() => client.indices.create(request), onRetry);
    return shards_acknowledged ? "placed" : "not placed";
  } catch (error) {
    if (refusalOf(error)?.type === "resource_already_exists_exception") return "existed";
    throw error;
  }
}
