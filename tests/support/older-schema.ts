import { type Client, errors } from "@elastic/elasticsearch";
import { readModelIndex } from "@tranche/read-models/indices/mappings";
import { OWN_VERSIONS } from "@tranche/read-models/indices/versions";
import { moveRoles, readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";

/** The fields that an older schema lacks here, as if this version had added them. */
const LACKING: Record<"funding" | "companies", readonly string[]> = {
  funding: ["company_keys", "amount_cents", "amount_band", "lead_investor_keys", "lead_investor_ids"],
  companies: [
    "company_keys",
    "domain",
    "name_prefixes",
    "investor_keys",
    "investor_ids",
    "total_raised_usd",
    "total_raised_cents",
    "round_count",
    "signal_detections",
    "newest_detected_at",
    "score_band",
    "headcount",
    "founded_year",
  ],
};
type OlderModel = keyof typeof LACKING;

const OLDER = { schema: OWN_VERSIONS.schema - 1, derivation: OWN_VERSIONS.derivation - 1 };

const without = (fields: readonly string[], of: object) =>
  Object.fromEntries(Object.entries(of).filter(([field]) => !fields.includes(field)));

/** An index of a read model as an older version would have made it. */
export function olderIndex(model: OlderModel) {
  const { settings, mappings } = readModelIndex(model, { shards: 1, replicas: 0 });
  const properties = without(LACKING[model], mappings.properties);
  return { settings, mappings: { dynamic: mappings.dynamic, _meta: OLDER, properties } };
}

/** Puts an index of an older schema with the same documents, as far as it has their fields, in the place of a live one. */
export async function swapToOlder(client: Client, names: IndexNames, model: OlderModel): Promise<void> {
  const live = names.role(model, "live");
  const index = names.generation(model, new Date(1));
  await client.indices.refresh({ index: live });
  const { hits } = await client.search<object>({ index: live, size: 10_000 });
  await client.indices.create({ index, ...olderIndex(model), aliases: { [names.ownAlias(index)]: {} } });
  const operations = hits.hits.flatMap(({ _id, _source }) => [{ index: { _id } }, without(LACKING[model], _source!)]);
  const written = await client.bulk({ index, operations, refresh: true });
  if (written.errors) throw new errors.ElasticsearchClientError(JSON.stringify(written.items));
  const { live: from } = (await readIndexRoles(client, names))[model];
  if (!(await moveRoles(client, names, [{ model, role: "live", from, to: index }]))) throw new Error("roles moved");
}
