import type { Client, estypes } from "@elastic/elasticsearch";
import { type IndexNames, READ_MODELS, type ReadModel } from "@tranche/shared/engines/search/index-names";
import { retryForever } from "@tranche/shared/engines/search/retry-forever";
import { type Layout, storeIndices } from "@tranche/shared/engines/search/store-indices";
import { readModelIndex } from "./mappings.ts";

/**
 * Creates the missing indices: those of records, edges, stakes, accounts and control, and a first index for each read model.
 * Several processes can call it at once and at every start. Waits while Elasticsearch is away.
 * @returns the names under which all of them are searched
 */
export async function ensureIndices(client: Client, names: IndexNames, layout: Layout): Promise<string[]> {
  const stores = storeIndices(names, layout);
  await Promise.all(stores.map((request) => createIfMissing(client, request)));
  await Promise.all(READ_MODELS.map((model) => ensureReadModel(client, names, model, layout)));
  return [...stores.map(({ index }) => index), ...READ_MODELS.map((model) => names.role(model, "live"))];
}

/**
 * Creates the first index of a read model, named after its time, unless the read model has one. Several processes may do so at once:
 * an alias has at most one write index, so Elasticsearch refuses all but one of them.
 */
async function ensureReadModel(client: Client, names: IndexNames, model: ReadModel, layout: Layout): Promise<void> {
  const live = names.role(model, "live");
  const exists = () => client.indices.existsAlias({ name: live });
  if (await retryForever(exists)) return;
  const index = names.generation(model, new Date());
  const aliases = { [live]: { is_write_index: true }, [names.ownAlias(index)]: {} };
  await retryForever(async () => {
    try {
      await client.indices.create({ index, aliases, ...readModelIndex(model, layout) });
    } catch (error) {
      if (!(await exists())) throw error;
    }
  });
}

async function createIfMissing(client: Client, request: estypes.IndicesCreateRequest): Promise<void> {
  const exists = () => client.indices.exists({ index: request.index });
  if (!(await retryForever(exists))) {
    try {
      await retryForever(() => client.indices.create(request));
      return;
    } catch (error) {
      if (!(await retryForever(exists))) throw error;
    }
  }
  await retryForever(() => addMissingFields(client, request));
}

/** Gives an index of an earlier version the fields that it lacks. The documents in it are not indexed again. */
async function addMissingFields(client: Client, { index, mappings }: estypes.IndicesCreateRequest): Promise<void> {
  const [found] = Object.values(await client.indices.getMapping({ index }));
  const known = found?.mappings.properties ?? {};
  const missing = Object.entries(mappings!.properties!).filter(([name]) => !(name in known));
  if (missing.length > 0) await client.indices.putMapping({ index, properties: Object.fromEntries(missing) });
}

/**
 * Gives indices the replicas that they lack, so that a changed TRANCHE_REPLICAS holds for those that exist. It takes none away:
 * operators may have added them. `indices`: names or aliases.
 */
export async function addMissingReplicas(client: Client, indices: string[], replicas: number): Promise<void> {
  if (replicas === 0) return;
  const found = await retryForever(() =>
    client.indices.getSettings({ index: indices, filter_path: "*.settings.index.number_of_replicas" }),
  );
  const lacking = Object.entries(found).filter(
    ([, { settings }]) => Number(settings!.index!.number_of_replicas) < replicas,
  );
  if (lacking.length === 0) return;
  const index = lacking.map(([name]) => name);
  await retryForever(() => client.indices.putSettings({ index, settings: { number_of_replicas: replicas } }));
}
