import { readModelIndex } from "@tranche/read-models/indices/mappings";
import { READ_MODELS } from "@tranche/shared/search/index-names";
import { retryForever } from "@tranche/shared/search/retry-forever";
import type { Step } from "./step.ts";

/** Creates the new indices, without replicas. Replicas are added when the indices are full. */
export const create: Step = async (parts, read) => {
  const { client, names } = parts;
  for (const model of READ_MODELS) {
    const index = read.rebuild.indices[model];
    if (await retryForever(() => client.indices.exists({ index }))) continue;
    const layout = { ...parts.layout, replicas: 0 };
    // 400: another worker has just created it.
    await retryForever(() =>
      client.indices.create(
        { index, aliases: { [names.ownAlias(index)]: {} }, ...readModelIndex(model, layout) },
        { ignore: [400] },
      ),
    );
  }
  return parts.rebuilds.save(read, { state: "created" });
};
