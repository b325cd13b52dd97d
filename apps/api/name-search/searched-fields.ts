import type { NameType } from "@tranche/read-models/parameters/name-search";
import type { ReadModel } from "@tranche/shared/search/index-names";
import { VALUE_FIELDS } from "../query/name-values.ts";
import { COMPANIES } from "./companies.ts";
import type { NamedDocuments } from "./documents.ts";
import { INVESTORS } from "./investors.ts";

/** The fields that a search for names of a type needs, and their read model. */
export function searchedFields(type: NameType): { model: ReadModel; fields: readonly string[] } {
  if (type === "company") return ofDocuments(COMPANIES);
  if (type === "investor") return ofDocuments(INVESTORS);
  return { model: COMPANIES.model, fields: [VALUE_FIELDS[type]] };
}

const ofDocuments = ({ model, fields: { keys, domain } }: Pick<NamedDocuments<never>, "model" | "fields">) => ({
  model,
  fields: [keys, ...(domain ? [domain] : []), "name_key", "name_prefixes"],
});
