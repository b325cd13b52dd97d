import type { estypes } from "@elastic/elasticsearch";
import { refusalOf } from "@tranche/shared/search/client";
import { createIndex } from "../rebuild/create-index.ts";
import { isStamped } from "@tranche/shared/search/index-names";
import { refreshed } from "@tranche/shared/search/refreshed";
import type { ReshardedStore, ReshardProgress } from "@tranche/shared/search/resharding";
import { PartialAnswer, retryForever, wholeAnswer } from "@tranche/shared/search/retry-forever";
import { storeIndices, storeNames } from "@tranche/shared/search/store-indices";
import type { PipelineParts } from "../pipeline/parts.ts";
import { replicasFromStart } from "../rebuild/replicas.ts";
import { copyStore, TakenOver } from "./copy-store.ts";
import { whileWhole } from "./while-whole.ts";

export type ReshardParts = Pick<PipelineParts, "client" | "names" | "onRetry">;

/** A store, the index that holds it now, and whether that is closed to writes. */
type Held = {
  store: string;
  index: string;
  shards: number;
  closed: boolean;
  /** How the index is made that it should have. It gets as many replicas as the one that it has. */
  wanted: Pick<estypes.IndicesCreateRequest, "settings" | "mappings">;
};

const shardsOf = ({ wanted }: Held): number => Number(wanted.settings!.number_of_shards);

/**
 * Gives every store this number of shards, one store after the other: the store is closed to writes, copied to a new index, and the new index
 * takes its name. Writers wait meanwhile; readers do not notice. Stores that have the shards already are left alone, so a resharding
 * that was interrupted continues where it was.
 */
export async function reshard(
  parts: ReshardParts,
  { shards, onProgress }: { shards: number; onProgress: (progress: ReshardProgress) => Promise<void> },
): Promise<ReshardedStore[]> {
  const stores = await heldStores(parts, shards);
  for (const { store } of stores) await dropNewIndices(parts, store);
  const moves = stores.filter((held) => held.shards !== shardsOf(held));
  const moved: ReshardedStore[] = [];
  for (const held of moves) {
    const since = performance.now();
    const documents = await countOf(parts, held.index);
    const progress = { moved: moved.length, of: moves.length, store: held.store, documents };
    const copied = await move(parts, held, (done) => onProgress({ ...progress, copied: done }));
    const seconds = Math.round((performance.now() - since) / 100) / 10;
    moved.push({ store: held.store, from: held.shards, to: shardsOf(held), documents: copied, seconds });
  }
  // One that was interrupted may have closed a store that needs no other shards now.
  for (const { index, closed } of stores.filter((held) => !moves.includes(held))) {
    if (closed) await open(parts, index);
  }
  return moved;
}

/** Whether a new index has not taken its store's name: while a resharding is under way, and after one that was interrupted. */
export async function isUnfinished(parts: ReshardParts): Promise<boolean> {
  const stores = storeNames(parts.names);
  return (await newIndices(parts, stores)).length > 0;
}

/** Undoes an interrupted resharding: moved stores stay moved, and the store that it had closed is opened as it was. */
export async function undo(parts: ReshardParts): Promise<void> {
  for (const held of await heldStores(parts)) {
    // Without a new index it was an operator who closed the store, for reasons of their own.
    if ((await dropNewIndices(parts, held.store)) > 0 && held.closed) await open(parts, held.index);
  }
}

/** All stores as they are. Those that always have one shard are among them. */
async function heldStores({ client, names, onRetry }: ReshardParts, shards = 1): Promise<Held[]> {
  const wanted = storeIndices(names, { shards, replicas: 0 });
  const indices = await retryForever(() => client.indices.get({ index: wanted.map(({ index }) => index) }), onRetry);
  return wanted.map(({ index: store, mappings, settings }) => {
    const [index, found] = Object.entries(indices).find(
      ([name, { aliases = {} }]) => name === store || store in aliases,
    )!;
    const { number_of_shards, number_of_replicas, blocks } = found.settings!.index!;
    return {
      store,
      index,
      shards: Number(number_of_shards),
      closed: String(blocks?.write) === "true",
      wanted: { mappings, settings: { ...settings, number_of_replicas } },
    };
  });
}

/** Removes new indices of an interrupted resharding; returns how many. */
async function dropNewIndices(parts: ReshardParts, store: string): Promise<number> {
  const found = await newIndices(parts, [store]);
  for (const index of found) await retryForever(() => discard(parts, index), parts.onRetry);
  return found.length;
}

/** Indices that were made for one of these stores and do not have its name. */
async function newIndices({ client, onRetry }: ReshardParts, stores: readonly string[]): Promise<string[]> {
  const index = stores.map((store) => `${store}-*`);
  const found = await retryForever(() => client.indices.getAlias({ index }), onRetry);
  return Object.entries(found).flatMap(([made, { aliases }]) =>
    stores.some((store) => isStamped(made, store) && !(store in aliases)) ? [made] : [],
  );
}

/**
 * Deletes a new index that has not taken its store's name, its alias first, so that a process that still writes to it stops. False when
 * somebody did so before, or when it has taken the name.
 */
async function discard({ client, names }: ReshardParts, index: string): Promise<boolean> {
  const actions = [{ remove: { index, alias: names.ownAlias(index), must_exist: true } }];
  const { statusCode } = await client.indices.updateAliases({ actions }, { ignore: [404], meta: true });
  if (statusCode === 404) return false;
  await client.indices.delete({ index }, { ignore: [404] });
  return true;
}

/** Moves a store to a new index; returns how many documents. Leaves it open as it was when that fails. */
async function move(
  parts: ReshardParts,
  { store, index: from, wanted }: Held,
  onCopied: (documents: number) => Promise<void>,
): Promise<number> {
  const { client, names, onRetry } = parts;
  const index = names.resharded(store, new Date());
  const alias = names.ownAlias(index);
  try {
    await create(parts, { index, ...wanted, aliases: { [alias]: {} } });
    await close(parts, from);
    await refreshed(client, from, onRetry);
    const [copied, before, after] = await whileWhole(client, { from, to: index }, async () => {
      const documents = await copyStore(client, { from, to: alias }, { onRetry, onCopied });
      await refreshed(client, index, onRetry);
      return [documents, await countOf(parts, from), await countOf(parts, index)];
    });
    if (before !== after) throw new Error(`${index} has ${after} documents, but ${from} has ${before}`);
    await takeName(parts, { store, from, index, alias });
    return copied;
  } catch (error) {
    if (!(error instanceof TakenOver) && (await retryForever(() => discard(parts, index), onRetry)))
      await open(parts, from);
    throw error;
  }
}

/** A node may be lost at any of them. */
const MOST_TRIES = 3;

/** Throws an error with the reason when Elasticsearch refuses this number of shards or can't place them. */
async function create({ client, onRetry }: ReshardParts, request: estypes.IndicesCreateRequest): Promise<void> {
  const { index, settings } = request;
  const what = `${index} can't have ${settings!.number_of_shards} shards`;
  for (let tries = 1; ; tries++) {
    const copies = 1 + (await replicasFromStart(client, Number(settings!.number_of_replicas)));
    // Before the first write: a node that is lost while the replicas are made would take shards of the new index away.
    const waiting = { wait_for_active_shards: copies, timeout: "30s" } as const;
    const created = await createIndex(client, { ...request, ...waiting }, onRetry).catch((error: Error) => {
      throw new Error(`${what}: ${refusalOf(error)?.reason ?? error.message}`);
    });
    if (created === "placed") return;
    if (tries === MOST_TRIES)
      throw new Error(`${what}: not all could be placed; GET _cluster/allocation/explain gives the reasons`);
    // A node may have been lost meanwhile, with the only copy of a shard, or with the reply. The index has nothing in it yet.
    await client.indices.delete({ index }, { ignore: [404] });
  }
}

/** In one step: a crash leaves either the old index under the name, or the new one. */
async function takeName(
  { client, onRetry }: ReshardParts,
  { store, from, index, alias }: { store: string; from: string; index: string; alias: string },
): Promise<void> {
  const actions: estypes.IndicesUpdateAliasesAction[] = [
    // Without this alias another indexer has taken the work over, and Elasticsearch refuses all of this.
    { remove: { index, alias, must_exist: true } },
    { remove_index: { index: from } },
    { add: { index, alias: store, is_write_index: true } },
  ];
  try {
    await retryForever(() => client.indices.updateAliases({ actions }), onRetry);
  } catch (error) {
    // The answer to a first try may have been lost.
    if (!(await retryForever(() => client.indices.existsAlias({ index, name: store }), onRetry))) throw error;
  }
}

/** Elasticsearch answers when no write is under way. */
async function close({ client, onRetry }: ReshardParts, index: string): Promise<void> {
  await retryForever(async () => {
    const { shards_acknowledged: closed } = await client.indices.addBlock({ index, block: "write" });
    if (!closed) throw new PartialAnswer(`a shard of ${index} is not closed to writes yet`);
  }, onRetry);
}

async function open({ client, onRetry }: ReshardParts, index: string): Promise<void> {
  await retryForever(() => client.indices.putSettings({ index, settings: { "blocks.write": null } }), onRetry);
}

async function countOf({ client, onRetry }: ReshardParts, index: string): Promise<number> {
  return retryForever(async () => wholeAnswer(await client.count({ index })).count, onRetry);
}
