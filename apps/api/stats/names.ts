import type { FundingDocument } from "@tranche/read-models/documents/funding";
import { rowOf } from "@tranche/read-models/documents/row-text";
import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import type { Spelled } from "@tranche/read-models/parameters/dimensions";
import { companyRows, spellings } from "../query/vocabulary.ts";
import { investorRecords } from "../search/investor-records.ts";
import type { Search } from "../search/search.ts";

type Parts = { search: Search; names: IndexNames };
type Hit = Pick<CompanyDocument, "company_id" | "row" | "profile">;

/** The names of categories, cities, companies or investors by key. Those without one are left out. */
export async function namesOf(
  parts: Parts,
  kind: Spelled,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const { search, names } = parts;
  const companies = names.role("companies", "live");
  if (kind === "investor") {
    const records = await investorRecords(parts, keys);
    return new Map([...records].map(([id, { body }]) => [id, body!.name]));
  }
  if (kind === "company") {
    const { documents } = await search<Hit>(companies, companyRows(keys));
    return new Map(documents.map(({ company_id, row }) => [company_id, rowOf(row).company.name]));
  }
  const [field, source] = SPELLINGS[kind];
  const { aggregations } = await search(companies, spellings(field, keys, source));
  const { buckets } = aggregations.values as unknown as { buckets: SpelledBucket[] };
  return new Map(
    buckets.flatMap(({ key, spelled }) => {
      const hit = spelled.hits.hits[0]?._source;
      const name = kind === "city" ? hit && rowOf(hit.row).company.city : hit?.profile.category;
      return name ? [[key, name] as const] : [];
    }),
  );
}

type SpelledBucket = { key: string; spelled: { hits: { hits: { _source: Hit }[] } } };

const SPELLINGS = {
  category: ["category_key", "profile.category"],
  city: ["city_key", "row"],
} as const satisfies Record<string, readonly [keyof FundingDocument, string]>;
