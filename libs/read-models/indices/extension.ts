import type { Client } from "@elastic/elasticsearch";
import { readRoles } from "@tranche/shared/rebuild/roles";
import { type IndexNames, READ_MODELS, ROLES } from "@tranche/shared/search/index-names";
import { retryForever } from "@tranche/shared/search/retry-forever";
import { fieldsOf, READ_MODEL_SCHEMA } from "./mappings.ts";

/**
 * Adds the fields of this version to the mappings of all indices that have a role. Mappings are strict, so without them an index from
 * before an upgrade would refuse every document that this version derives. Fields that are there stay as they are.
 */
export async function extendMappings(client: Client, names: IndexNames): Promise<void> {
  const roles = await readRoles(client, names);
  const held = READ_MODELS.flatMap((model) => ROLES.map((role) => ({ model, index: roles[model][role] })));
  await Promise.all(
    held.map(async ({ model, index }) => {
      if (index === undefined) return;
      const properties = { ...fieldsOf(model) };
      // 404: the index has just been retired.
      await retryForever(() => client.indices.putMapping({ index, properties }, { ignore: [404] }));
    }),
  );
}

/**
 * The live indices that were created by an earlier version. Their documents get the fields of this version one by one, as they are
 * derived again: filters by these fields miss the others until a rebuild.
 */
export async function outdatedIndices(client: Client, names: IndexNames): Promise<string[]> {
  const roles = await readRoles(client, names);
  const live = READ_MODELS.flatMap((model) => roles[model].live ?? []);
  const outdated = live.map(async (index) => {
    const answer = await retryForever(() => client.indices.getMapping({ index }, { ignore: [404] }));
    const schema: unknown = answer[index]?.mappings?._meta?.["schema"];
    return index in answer && !(Number(schema) >= READ_MODEL_SCHEMA) ? [index] : [];
  });
  return (await Promise.all(outdated)).flat();
}
