import type { InvestorDocument } from "@tranche/read-models/documents/investors";
import { wordsByName } from "@tranche/read-models/documents/names";
import { rowOf } from "@tranche/read-models/documents/row-text";
import type { NamedDocuments } from "./documents.ts";

const SOURCE = ["investor_keys", "name_key", "name_prefixes", "company_count", "row"] as const;
type Source = Pick<InvestorDocument, (typeof SOURCE)[number]>;

/** How investors are found by name. */
export const INVESTORS: NamedDocuments<Source> = {
  type: "investor",
  model: "investors",
  fields: { id: "investor_id", keys: "investor_keys", source: SOURCE },
  named: ({ investor_keys, name_key, name_prefixes }) => ({
    key: name_key,
    keys: investor_keys,
    domain: null,
    names: wordsByName(name_prefixes),
  }),
  row({ name_key, company_count, row }) {
    const { id, name, slug, country, round_count } = rowOf(row);
    return {
      type: "investor",
      id,
      key: name_key ?? slug,
      name,
      country,
      rounds: round_count,
      companies: company_count,
    };
  },
};
