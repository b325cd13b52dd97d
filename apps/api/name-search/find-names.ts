import { nameQuery } from "@tranche/read-models/query/name-match";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { VALUE_FIELDS } from "../query/name-values.ts";
import { cancelledBy, type Search } from "../search/search.ts";
import { COMPANIES } from "./companies.ts";
import { createDocumentSearch } from "./documents.ts";
import type { NameType } from "@tranche/read-models/parameters/name-search";
import { byRank, type FoundName } from "./found-name.ts";
import { INVESTORS } from "./investors.ts";
import { type KnownValues, matchingValues, similarValues, spelled } from "./values.ts";

/** The query. `text` has a letter or a digit. `left` cancels the search. */
type NameRequest = { text: string; types: ReadonlySet<NameType>; limit: number; left: AbortSignal };

/** Finds names as people type them, the best first. */
export type FindNames = (request: NameRequest) => Promise<FoundName[]>;

export function createFindNames(parts: { search: Search; names: IndexNames; knownValues: KnownValues }): FindNames {
  const { search, names, knownValues } = parts;
  const companies = names.role("companies", "live");
  const documents = [
    { type: COMPANIES.type, ...createDocumentSearch(parts, COMPANIES) },
    { type: INVESTORS.type, ...createDocumentSearch(parts, INVESTORS) },
  ];
  const hasValues = (types: ReadonlySet<string>) => Object.keys(VALUE_FIELDS).some((type) => types.has(type));

  return async ({ text, types, limit, left }) => {
    const query = nameQuery(text);
    const asked = documents.filter(({ type }) => types.has(type));
    const [values, ...best] = await Promise.all([
      hasValues(types) ? knownValues(left) : [],
      ...asked.map((each) => each.best(query, limit, left)),
    ]);
    const askedValues = values.filter(({ type }) => types.has(type));
    const found = [...best.flat(), ...matchingValues(askedValues, text, query)];
    if (found.length < limit) {
      const known = new Set(found.map(({ found: { type, key } }) => `${type} ${key}`));
      const similar = await Promise.all(asked.map((each) => each.similar(query, limit - found.length, left)));
      const others = similarValues(askedValues, query).filter(
        ({ found: { type, key } }) => !known.has(`${type} ${key}`),
      );
      found.push(...similar.flat(), ...others);
    }
    const first = found.toSorted(byRank).slice(0, limit);
    return spelled(
      cancelledBy(left, search),
      companies,
      first.map((each) => each.found),
    );
  };
}
