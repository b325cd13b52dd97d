import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import { technologyName } from "@tranche/shared/domain/technologies/technology";
import { countryName } from "@tranche/shared/domain/vocabulary/countries";
import { byFrequency, dealTypeName, truncatedWarning, type VocabularyRow } from "../present/vocabulary.ts";
import { companyCounts, MAX_VALUES, roundCounts } from "../query/vocabulary.ts";
import type { LookUpResult } from "./look-up.ts";
import type { ApiParts } from "./parts.ts";

/** Every category that a company has. */
export function findCategories(parts: ApiParts) {
  return async (): Promise<LookUpResult> => {
    const { rows, ...rest } = await counted(parts, {
      field: "category_key",
      spelling: "category",
      ofRounds: true,
    });
    return { data: byFrequency(rows), ...rest };
  };
}

/** Every country that a company is in. */
export function findCountries(parts: ApiParts) {
  return async (): Promise<LookUpResult> => {
    const { rows, ...rest } = await counted(parts, { field: "country", name: countryName, ofRounds: true });
    return { data: byFrequency(rows), ...rest };
  };
}

/** Every technology that a company uses. */
export function findTechnologies(parts: ApiParts) {
  return async (): Promise<LookUpResult> => {
    const { rows, ...rest } = await counted(parts, {
      field: "tech_keys",
      name: (key) => technologyName(key) ?? key,
      ofRounds: false,
    });
    return { data: byFrequency(rows), ...rest };
  };
}

/** The vocabulary of deal types in its own order, including unused ones. */
export function findDealTypes(parts: ApiParts) {
  return async (): Promise<LookUpResult> => {
    const { rows, ...rest } = await counted(parts, { field: "deal_type", name: dealTypeName, ofRounds: true });
    const found = new Map(rows.map((row) => [row.key, row]));
    const none = { round_count: 0, company_count: 0, signalled_company_count: 0 };
    const words = [...new Set([...parts.dealTypes.words, ...found.keys()])];
    return { data: words.map((key) => found.get(key) ?? { key, name: dealTypeName(key), ...none }), ...rest };
  };
}

type Bucket = { key: string; doc_count: number };
type CompanyBucket = Bucket & {
  listed: { doc_count: number };
  spelled?: { hits: { hits: { _source: Pick<CompanyDocument, "profile"> }[] } };
};
type Terms<B> = { buckets: B[]; sum_other_doc_count: number };

async function counted(
  parts: ApiParts,
  of: { field: string; name?: (key: string) => string; spelling?: "category"; ofRounds: boolean },
): Promise<{ rows: VocabularyRow[]; warnings?: LookUpResult["warnings"] }> {
  const [companies, rounds] = await Promise.all([
    parts.search(parts.names.role("companies", "live"), companyCounts(of.field, of.spelling)),
    of.ofRounds ? parts.search(parts.names.role("funding", "live"), roundCounts(of.field)) : undefined,
  ]);
  const byCompany = companies.aggregations.values as unknown as Terms<CompanyBucket>;
  const byRound = rounds?.aggregations.values as unknown as Terms<Bucket> | undefined;
  const roundCount = new Map(byRound?.buckets.map((bucket) => [bucket.key, bucket.doc_count]));
  const companyBucket = new Map(byCompany.buckets.map((bucket) => [bucket.key, bucket]));
  const rows = [...new Set([...companyBucket.keys(), ...roundCount.keys()])].map((key) => {
    const bucket = companyBucket.get(key);
    return {
      key,
      name: of.name?.(key) ?? bucket?.spelled?.hits.hits[0]?._source.profile.category ?? key,
      ...(of.ofRounds ? { round_count: roundCount.get(key) ?? 0 } : {}),
      company_count: bucket?.doc_count ?? 0,
      signalled_company_count: bucket?.listed.doc_count ?? 0,
    };
  });
  const truncated = byCompany.sum_other_doc_count > 0 || (byRound?.sum_other_doc_count ?? 0) > 0;
  return { rows, ...(truncated ? { warnings: [truncatedWarning(MAX_VALUES)] } : {}) };
}
