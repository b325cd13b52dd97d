import type { Filter } from "@tranche/read-models/query/filters";
import type { FundingDocument } from "@tranche/read-models/documents/funding";
import type { Dimension } from "@tranche/read-models/parameters/dimensions";
import {
  type After,
  type GroupKey,
  groupsQuery,
  type GroupsSearch,
  keyOfBucket,
  MOST_AMONG,
} from "@tranche/read-models/query/groups";
import { chunks } from "@tranche/shared/engines/search/chunks";
import type { Group } from "./group.ts";
import { type SearchRows, textOf } from "./groups-page.ts";

/** Companies are counted one by one in groups of together at most this number of rounds, the smallest groups first. */
const EXACT_ROUNDS = 5000;
/** A round with several investors has its company in several groups. Beyond this number of pages it is not counted one by one. */
const MAX_PAGES = 5;
const PAGE = 10_000;

const COMPANY = { field: "company_id" satisfies keyof FundingDocument };

/** The exact number of companies: of groups by `textOf` their key, and over all rounds. Missing ones are too large. */
type CompanyCounts = { groups: ReadonlyMap<string, number>; total: number | undefined };

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

  const among = whole
    ? [undefined]
    : chunks(
        several.map(({ key }) => key),
        MOST_AMONG,
      );
  const pairs: Pair[] = [];
  let count = 0;
  for (const keys of among) {
    const read = await pairsOf(search, { filters, by: [...sources, COMPANY], ...(keys && { among: keys }) });
    if (!read) return { groups: counts, total: undefined };
    pairs.push(...read.pairs);
    count = read.count;
  }
  const found = new Map(
    several.map((group) => [textOf(group.key), { companies: new Set<string>(), rounds: 0, group }]),
  );
  for (const { key, company, rounds } of pairs) {
    const pair = found.get(textOf(key));
    if (!pair || pair.companies.has(company)) continue;
    pair.companies.add(company);
    pair.rounds += rounds;
  }
  // Rounds that were written since the groups were counted would make a wrong number look exact.
  const same = [...found].filter(([, { rounds, group }]) => rounds === group.count);
  for (const [text, pair] of same) counts.set(text, pair.companies.size);
  const companies = new Set(pairs.map(({ company }) => company));
  return { groups: counts, total: whole && count === total.count ? companies.size : undefined };
}

/** The rounds of one company in one group. */
type Pair = { key: GroupKey; company: string; rounds: number };

/** All pairs of a group and a company, and the number of rounds; undefined when there are too many. The last of `by` is the company. */
async function pairsOf(
  search: SearchRows,
  asked: Pick<GroupsSearch, "filters" | "by" | "among">,
): Promise<{ pairs: Pair[]; count: number } | undefined> {
  const pairs: Pair[] = [];
  let after: After | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { count, aggregations } = await search(groupsQuery({ ...asked, each: {}, size: PAGE, after }));
    const { buckets, after_key } = aggregations.groups as unknown as CompanyBuckets;
    for (const { key, doc_count } of buckets) {
      const whole = keyOfBucket(asked.by, key);
      pairs.push({ key: whole.slice(0, -1), company: whole.at(-1)!, rounds: doc_count });
    }
    if (buckets.length < PAGE) return { pairs, count };
    after = after_key;
  }
  return undefined;
}

type CompanyBuckets = {
  buckets: { key: Record<string, string | number | null>; doc_count: number }[];
  after_key: After;
};

/** The smallest groups that together have at most `rows` rows. */
function smallest<Details>(groups: readonly Group<Details>[], most: number): Group<Details>[] {
  let rows = 0;
  return groups.toSorted((a, b) => a.count - b.count).filter(({ count }) => (rows += count) <= most);
}
