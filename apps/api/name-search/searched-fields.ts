import type { NameType } from "@tranche/read-models/parameters/name-search";
import type { ReadModel } from "@tranche/shared/engines/search/index-names";
import { aggregatedFields } from "../query/aggregated-fields.ts";
import { NAME_FIELDS, type NamedFields } from "../query/name-search.ts";
import { firstValues } from "../query/name-values.ts";
import { COMPANIES } from "./companies.ts";
import { INVESTORS } from "./investors.ts";

/** The fields that a search for names of a type reads, and their read model. */
export function searchedFields(type: NameType): { model: ReadModel; fields: readonly string[] } {
  if (type === "company") return ofDocuments(COMPANIES);
  if (type === "investor") return ofDocuments(INVESTORS);
  return { model: COMPANIES.model, fields: aggregatedFields(firstValues([type]).aggs!) };
}

const ofDocuments = ({ model, fields: { keys, domain } }: { model: ReadModel; fields: NamedFields }) => ({
  model,
  fields: [keys, ...(domain ? [domain] : []), ...NAME_FIELDS],
});
