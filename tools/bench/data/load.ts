import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import { writeBulk } from "@tranche/shared/engines/search/bulk";
import type { BulkItem } from "@tranche/shared/engines/search/bulk-part";
import { assertWritten } from "@tranche/shared/engines/search/bulk-results";
import { ensureIndices } from "@tranche/read-models/indices/creation";
import { FIRST_STAGE, type IndexNames, READ_MODELS } from "@tranche/shared/engines/search/index-names";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import { READ_MODEL_SCHEMA } from "@tranche/read-models/indices/versions";
import pMap from "p-map";
import { untilMerged } from "../environment/segments.ts";
import { createDerivation, investorDocuments, investorWrites, listedItem, storedItems, writesOf } from "./documents.ts";
import { type Family, type World, WORLD_VERSION } from "./world.ts";

/** Families whose documents are written together: one bulk. */
const BLOCK = 400;
/** The engine has more to write while one block is made. */
const BLOCKS_IN_FLIGHT = 6;
const LAYOUT = { shards: 1, replicas: 0 };
const LOADED_ID = "bench-loaded";

/** The data already loaded: the read models, and the records that they are made of. */
export type Loaded = {
  world: number;
  schema: number;
  size: number;
  documents: boolean;
  investors: boolean;
  records: boolean;
};

/**
 * Loads what a benchmark needs, once: a second run finds it there. The documents are those that the indexer would write, but are
 * written straight away, with the time as ticket, so that whatever the indexer derives later is newer.
 */
export async function load(
  parts: { client: Client; names: IndexNames; world: World; log: (line: string) => void },
  wanted: { records: boolean },
): Promise<void> {
  const { client, names, world, log } = parts;
  let loaded = await readLoaded(client, names);
  const fits = loaded?.world === WORLD_VERSION && loaded.schema === READ_MODEL_SCHEMA && loaded.size === world.size;
  if (!loaded || !fits) {
    await removeAll(client, names);
    loaded = {
      world: WORLD_VERSION,
      schema: READ_MODEL_SCHEMA,
      size: world.size,
      documents: false,
      investors: false,
      records: false,
    };
  }
  await ensureIndices(client, names, LAYOUT);
  // One version for all records, so that documents and records of two passes belong together.
  const version = 1;
  if (!loaded.documents) {
    const derive = createDerivation(world, names, version);
    const ticket = (Date.now() * 1000) as Ticket;
    await inBlocks(parts, "documents", (families) => {
      const documents = derive(families);
      return FIRST_STAGE.flatMap((model) =>
        documents[model].map((document) => listedItem(names, model, ticket, document)),
      );
    });
    loaded = { ...loaded, documents: true, investors: false };
    const live = READ_MODELS.map((model) => names.role(model, "live"));
    await refreshAndWaitForMerges(parts, live);
    // As a rebuild leaves them.
    await client.indices.forcemerge({ index: live, max_num_segments: 1, wait_for_completion: false });
    await untilMerged(client);
    await saveLoaded(client, names, loaded);
  }
  if (!loaded.investors) {
    const index = names.role("investors", "live");
    const ticket = { number: Date.now() * 1000, type: "external" as const };
    for await (const documents of investorDocuments(world, parts, version)) {
      await writeAll(
        client,
        documents.map((document) => ({ index, id: document.investor_id, document, version: ticket })),
      );
    }
    loaded = { ...loaded, investors: true };
    await refreshAndWaitForMerges(parts, [index]);
    await saveLoaded(client, names, loaded);
  }
  if (wanted.records && !loaded.records) {
    await writeAll(client, storedItems(names, investorWrites(world, version)));
    await inBlocks(parts, "records", (families) =>
      families.flatMap((family) => storedItems(names, writesOf(family, version))),
    );
    loaded = { ...loaded, records: true };
    await refreshAndWaitForMerges(parts, [
      `${names.record("round").replace(/round$/, "")}*`,
      names.edges,
      names.stakes,
    ]);
    await saveLoaded(client, names, loaded);
  }
  log(`${world.size} rounds are loaded`);
}

/** Everything of this namespace, by name: many clusters refuse to delete by a pattern. */
export async function removeAll(client: Client, names: IndexNames): Promise<void> {
  const found = Object.keys(
    await client.indices.get({ index: names.edges.replace(/edges$/, "*"), features: ["settings"] }),
  );
  if (found.length > 0) await client.indices.delete({ index: found });
}

async function inBlocks(
  { client, world, log }: Parameters<typeof load>[0],
  what: string,
  items: (families: readonly Family[]) => BulkItem[],
): Promise<void> {
  const start = performance.now();
  let [written, told] = [0, start];
  const send = async (families: readonly Family[]) => {
    const block = items(families);
    await writeAll(client, block);
    written += block.length;
    if (performance.now() - told < 5000) return;
    told = performance.now();
    log(`loading ${what}: ${written} (${Math.round(written / ((told - start) / 1000))} per second)`);
  };
  await pMap(blocksOf(world), send, { concurrency: BLOCKS_IN_FLIGHT });
}

function* blocksOf(world: World): Generator<Family[]> {
  let block: Family[] = [];
  for (const family of world.families()) {
    block.push(family);
    if (block.length === BLOCK) yield block.splice(0);
  }
  if (block.length > 0) yield block;
}

async function writeAll(client: Client, items: readonly BulkItem[]): Promise<void> {
  assertWritten(await writeBulk(client, items), "documents of the benchmark");
}

/** Makes everything visible and waits for merges, so that they do not run into what is measured. */
async function refreshAndWaitForMerges(
  { client, log }: { client: Client; log: (line: string) => void },
  indices: string[],
): Promise<void> {
  await client.indices.refresh({ index: indices });
  for (;;) {
    const { _all } = await client.indices.stats({ index: indices, metric: ["merge"] });
    const merges = _all.primaries?.merges?.current ?? 0;
    if (merges === 0) return;
    log(`waiting for ${merges} merges`);
    await pause(2000);
  }
}

async function readLoaded(client: Client, names: IndexNames): Promise<Loaded | undefined> {
  const found = await client.get<Loaded>({ index: names.control, id: LOADED_ID }, { ignore: [404] });
  return found.found ? found._source : undefined;
}

async function saveLoaded(client: Client, names: IndexNames, loaded: Loaded): Promise<void> {
  await client.index({ index: names.control, id: LOADED_ID, document: loaded, refresh: true });
}
