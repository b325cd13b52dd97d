import { writeBulk } from "@tranche/shared/search/bulk";
import type { BulkItem } from "@tranche/shared/search/bulk-part";
import { READ_MODELS, type ReadModel, readModelIndex } from "@tranche/shared/search/indices";
import { createDerivation } from "../data/documents.ts";
import type { Family } from "../data/world.ts";
import type { Stage } from "../stage/stage.ts";

/** Families whose documents are made at a time. */
const BLOCK = 2000;

/**
 * Writes all documents of both read models, finished, by bulks into empty indices like theirs, and takes the indices away again.
 * Only the writing and one refresh count, not the making. Returns how many documents, and the seconds.
 */
export async function writeFinished(stage: Stage): Promise<{ documents: number; seconds: number }> {
  const { client, names, world } = stage;
  const indexOf = (model: ReadModel) => names.edges.replace(/edges$/, `bench-finished-${model}`);
  const indices = READ_MODELS.map(indexOf);
  await client.indices.delete({ index: indices, ignore_unavailable: true });
  for (const model of READ_MODELS) {
    await client.indices.create({ index: indexOf(model), ...readModelIndex(model, { shards: 1, replicas: 0 }) });
  }
  const derive = createDerivation(world, names, 1);
  let [documents, ms] = [0, 0];
  const timed = async (work: () => Promise<unknown>) => {
    const before = performance.now();
    await work();
    ms += performance.now() - before;
  };
  const write = async (families: readonly Family[]) => {
    const { funding, signals } = derive(families);
    const items: BulkItem[] = [
      ...funding.map((document) => ({ index: indexOf("funding"), id: document.id, document })),
      ...signals.map((document) => ({ index: indexOf("signals"), id: document.company_id, document })),
    ];
    documents += items.length;
    await timed(async () => {
      const refused = (await writeBulk(client, items)).find((result) => result !== "done");
      if (refused) throw new Error(`Elasticsearch refused a finished document: ${JSON.stringify(refused)}`);
    });
  };
  let block: Family[] = [];
  for (const family of world.families()) {
    block.push(family);
    if (block.length === BLOCK) await write(block.splice(0));
  }
  await write(block);
  await timed(() => client.indices.refresh({ index: indices }));
  await client.indices.delete({ index: indices });
  return { documents, seconds: ms / 1000 };
}
