import { wordsByName } from "@tranche/read-models/documents/names";
import { rowOf } from "@tranche/read-models/documents/row-text";
import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import type { NamedDocuments } from "./documents.ts";

const SOURCE = ["slug", "company_keys", "name_key", "name_prefixes", "domain", "row"] as const;
type Source = Pick<CompanyDocument, (typeof SOURCE)[number]>;

/** How companies are found by name. */
export const COMPANIES: NamedDocuments<Source> = {
  type: "company",
  model: "companies",
  fields: { id: "company_id", keys: "company_keys", domain: "domain", source: SOURCE },
  named: ({ company_keys, name_key, name_prefixes, domain }) => ({
    key: name_key,
    keys: company_keys,
    domain,
    names: wordsByName(name_prefixes),
  }),
  row({ slug, name_key, row }) {
    const { company, round_count } = rowOf(row);
    const { id, name, country } = company;
    return { type: "company", id, key: name_key ?? slug, name, country, rounds: round_count, companies: null };
  },
};
