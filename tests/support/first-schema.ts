import { type Client, errors } from "@elastic/elasticsearch";
import { readModelIndex } from "@tranche/read-models/indices/mappings";
import { moveRoles, readRoles } from "@tranche/shared/rebuild/roles";
import type { IndexNames } from "@tranche/shared/search/index-names";

/** The fields of the documents of schema 1, which had no investors. */
const FIRST_SCHEMA = {
  funding: [
    "listed",
    "gone",
    "id",
    "company_id",
    "announced_date",
    "deal_type",
    "amount_usd",
    "country",
    "city_key",
    "category_key",
    "investor_keys",
    "investor_ids",
    "row",
  ],
  signals: [
    "listed",
    "gone",
    "company_id",
    "slug",
    "name_key",
    "name_head",
    "country",
    "city_key",
    "category_key",
    "deal_type",
    "latest_announced_date",
    "latest_amount_usd",
    "signal_keys",
    "signal_score",
    "tech_keys",
    "next_change_at",
    "row",
    "lead_investors",
    "profile",
    "instances",
  ],
} as const;
type FirstModel = keyof typeof FIRST_SCHEMA;

const picked = (fields: readonly string[], of: object) =>
  Object.fromEntries(Object.entries(of).filter(([field]) => fields.includes(field)));

/** An index of a read model as schema 1 made it. */
export function firstSchemaIndex(model: FirstModel) {
  const { settings, mappings } = readModelIndex(model, { shards: 1, replicas: 0 });
  const properties = picked(FIRST_SCHEMA[model], mappings.properties);
  return { settings, mappings: { dynamic: mappings.dynamic, _meta: { schema: 1 }, properties } };
}

/** Puts an index of schema 1 with the same documents, as far as it has their fields, in the place of a live one. */
export async function swapToFirstSchema(client: Client, names: IndexNames, model: FirstModel): Promise<void> {
  const live = names.role(model, "live");
  const index = names.generation(model, new Date(1));
  await client.indices.refresh({ index: live });
  const { hits } = await client.search<object>({ index: live, size: 10_000 });
  await client.indices.create({ index, ...firstSchemaIndex(model), aliases: { [names.ownAlias(index)]: {} } });
  const operations = hits.hits.flatMap(({ _id, _source }) => [
    { index: { _id } },
    picked(FIRST_SCHEMA[model], _source!),
  ]);
  const written = await client.bulk({ index, operations, refresh: true });
  if (written.errors) throw new errors.ElasticsearchClientError(JSON.stringify(written.items));
  const { live: from } = (await readRoles(client, names))[model];
  if (!(await moveRoles(client, names, [{ model, role: "live", from, to: index }]))) throw new Error("roles moved");
}
