import type { Filter } from "@tranche/read-models/query/filters";
import type { FundingDocument } from "@tranche/read-models/documents/funding";
import type { Dimension } from "@tranche/read-models/parameters/dimensions";
import { type After, groupsQuery, keyOfBucket } from "@tranche/read-models/query/groups";
import type { Group } from "./group.ts";
import { type SearchRows, textOf } from "./groups-page.ts";

/** Companies are counted one by one in groups of together at most so many rounds, the smallest groups first. */
const EXACT_ROUNDS = 5000;
/** A round with several investors has its company in several groups. Beyond so many pages it is not counted one by one. */
const MAX_PAGES = 5;
const PAGE = 10_000;

const COMPANY = { field: "company_id" satisfies keyof FundingDocument };

/** The exact number of companies: of groups by `textOf` their key, and over all rounds. What is missing is too large. */
export type CompanyCounts = { groups: ReadonlyMap<string, number>; total: number | undefined };

/** Counts the companies of small groups, and over all rounds if they are few. */
export async function countCompanies(
  search: SearchRows,
  { filters, by }: { filters: readonly Filter[]; by: readonly Dimension[] },
  { total, groups, size }: { total: { count: number }; groups: readonly Group<unknown>[]; size: number },
): Promise<CompanyCounts> {
  const sources = by.map(({ source }) => source);
  const ofCompany = sources.findIndex(({ field }) => field === COMPANY.field);
  // Groups by company have one company each.
  if (ofCompany >= 0) {
    const one = groups.filter(({ count }) => count > 0).map(({ key }) => [textOf(key), 1] as const);
    return { groups: new Map(one), total: by.length === 1 ? size : undefined };
  }
  const whole = total.count <= EXACT_ROUNDS;
  const small = smallest(groups, whole ? Number.POSITIVE_INFINITY : EXACT_ROUNDS);
  const counts = new Map(small.filter(({ count }) => count <= 1).map(({ key, count }) => [textOf(key), count]));
  const several = small.filter(({ count }) => count > 1);
  if (total.count <= 1) return { groups: counts, total: total.count };
  if (!whole && several.length === 0) return { groups: counts, total: undefined };

  const companies = new Set<string>();
  const found = new Map(several.map((group) => [textOf(group.key), { companies: 0, rounds: 0, group }]));
  const among = whole ? {} : { among: several.map(({ key }) => key) };
  let after: After | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { count, aggregations } = await search(
      groupsQuery({ filters, by: [...sources, COMPANY], each: {}, size: PAGE, after, ...among }),
    );
    const { buckets, after_key } = aggregations.groups as unknown as Pairs;
    for (const { key, doc_count } of buckets) {
      companies.add(String(key[sources.length]));
      const pair = found.get(textOf(keyOfBucket(sources, key)));
      if (!pair) continue;
      pair.companies++;
      pair.rounds += doc_count;
    }
    if (buckets.length < PAGE) {
      // Rounds that were written since the groups were counted would make a wrong number look exact.
      const same = [...found].filter(([, { rounds, group }]) => rounds === group.count);
      for (const [text, pair] of same) counts.set(text, pair.companies);
      return { groups: counts, total: whole && count === total.count ? companies.size : undefined };
    }
    after = after_key;
  }
  return { groups: counts, total: undefined };
}

type Pairs = { buckets: { key: Record<string, string | number | null>; doc_count: number }[]; after_key: After };

/** The smallest groups that together have at most so many rows. */
function smallest<Details>(groups: readonly Group<Details>[], most: number): Group<Details>[] {
  let rows = 0;
  return groups.toSorted((a, b) => a.count - b.count).filter(({ count }) => (rows += count) <= most);
}
