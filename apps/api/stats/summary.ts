import type { estypes } from "@elastic/elasticsearch";
import type { Filter } from "@tranche/read-models/query/filters";
import { invalidParameters } from "../errors/api-error.ts";
import type { Dimension } from "../parameters/dimensions.ts";
import type { GroupSort } from "../parameters/stats.ts";
import {
  type After,
  type Aggregations,
  type GroupKey,
  type GroupsSearch,
  groupsQuery,
  keyOfBucket,
} from "../query/groups.ts";
import type { SearchResult } from "../search/search.ts";
import type { Group, Rest, Tally } from "./group.ts";
import { orderOf } from "./order.ts";
import { Ranking } from "./ranking.ts";
import { filled } from "./timeline.ts";

/** Most requests have fewer groups, and one search finds all about them. */
const DETAILED_PAGE = 1000;
/** Groups that are only counted. */
const PAGE = 10_000;
export const MAX_GROUPS = 100_000;

/** Searches the rows of a list. */
export type SearchRows = (request: estypes.SearchRequest) => Promise<SearchResult<unknown>>;

/** What is computed of the rows of a read model. */
export type Figures<Details> = {
  /** Computed for every group: `amounts`, of which there are a count and a sum. */
  tally: Aggregations;
  /** Computed for the groups that are shown. */
  details: Aggregations;
  /** The same over all rows. Default: as for groups. */
  overall?: Aggregations;
  detailsOf: (bucket: Bucket) => Details;
  /** What aggregations only estimate, made exact where that is cheap. Default: the summary as it is. */
  refine?: (search: SearchRows, request: SummaryRequest, summary: Summary<Details>) => Promise<Summary<Details>>;
};

/** A bucket of Elasticsearch with the figures of its rows. */
export type Bucket = { doc_count: number } & Readonly<Record<string, unknown>>;

export type SummaryRequest = {
  filters: readonly Filter[];
  /** What to group by: none, one or two. */
  by: readonly Dimension[];
  sort: GroupSort;
  limit: number;
};

export type Summary<Details> = {
  total: Tally & { details: Details };
  groups: readonly Group<Details>[];
  rest: Rest;
  /** How many groups there are. */
  size: number;
};

/**
 * Summarises the rows that match the filters. The first search finds the total and, as a rule, all about all groups. If there are more
 * groups, further searches count them, page by page, and a last one finds the details of those that are shown.
 */
export async function summarise<Details>(
  search: SearchRows,
  { filters, by, sort, limit }: SummaryRequest,
  figures: Figures<Details>,
): Promise<Summary<Details>> {
  const sources = by.map(({ source }) => source);
  const all = { ...figures.tally, ...figures.details };
  const page = async (parts: Pick<GroupsSearch, "size" | "each" | "all" | "after" | "among">) => {
    const { count, aggregations } = await search(groupsQuery({ filters, by: sources, ...parts }));
    const { buckets, after_key } = (aggregations.groups ?? NO_GROUPS) as unknown as {
      buckets: KeyedBucket[];
      after_key?: After;
    };
    const groups = buckets.map((bucket) => ({ bucket, ...tallyOf(bucket), key: keyOfBucket(sources, bucket.key) }));
    // The last page has an `after_key`, too.
    return { count, aggregations, groups, after: buckets.length < parts.size ? undefined : after_key };
  };
  const detailed = ({ bucket, ...group }: Group<Details> & { bucket: Bucket }): Group<Details> => ({
    ...group,
    details: figures.detailsOf(bucket),
  });

  const order = orderOf(sort, by);
  const ranking = new Ranking<Details>(order, limit);
  /** All periods with rows, if groups are periods of time. */
  const interval = by.length === 1 ? sources[0]!.interval : undefined;
  const periods = new Set<string>();
  const add = (groups: readonly Group<Details>[]) => {
    ranking.add(groups);
    if (interval) for (const { key } of groups) periods.add(key[0]!);
    if (ranking.size > MAX_GROUPS) throw tooManyGroups();
  };

  const overall = { ...figures.tally, ...(figures.overall ?? figures.details) };
  const first = await page({ each: all, all: overall, size: DETAILED_PAGE });
  add(first.groups.map(detailed));
  for (let { after } = first; after;) {
    const next = await page({ each: figures.tally, size: PAGE, after });
    add(next.groups.map(({ key, count, disclosed, cents }) => ({ key, count, disclosed, cents })));
    ({ after } = next);
  }

  /** The groups of which the first page has no details. */
  const bare = new Map(ranking.first.filter(({ details }) => !details).map((group) => [textOf(group.key), group]));
  const found = new Map<string, Group<Details>>();
  const among = [...bare.values()].map(({ key }) => key);
  for (let after: After | undefined, ended = bare.size === 0; !ended && found.size < bare.size; ended = !after) {
    const next = await page({ each: all, size: DETAILED_PAGE, after, among });
    for (const group of next.groups) if (bare.has(textOf(group.key))) found.set(textOf(group.key), detailed(group));
    ({ after } = next);
  }

  const shown = ranking.first.map((group) => found.get(textOf(group.key)) ?? group);
  const total = { doc_count: first.count, ...first.aggregations };
  const summary: Summary<Details> = {
    total: { ...tallyOf(total), details: figures.detailsOf(total) },
    groups: shown,
    rest: ranking.rest,
    size: ranking.size,
  };
  const refined = (await figures.refine?.(search, { filters, by, sort, limit }, summary)) ?? summary;
  return interval ? { ...refined, groups: filled(refined.groups, interval, periods).sort(order) } : refined;
}

type KeyedBucket = Bucket & { key: Record<string, string | number | null> };

const NO_GROUPS = { buckets: [] };

/** A key as the key of a map. */
export const textOf = (key: GroupKey): string => JSON.stringify(key);

function tallyOf(bucket: Bucket): Tally {
  const { count, sum } = bucket["amounts"] as { count: number; sum: number };
  return { count: bucket.doc_count, disclosed: count, cents: sum };
}

function tooManyGroups() {
  const message = `There are more than ${MAX_GROUPS.toLocaleString("en")} groups. Narrow the rows with more filters, or group by fewer or broader dimensions.`;
  return invalidParameters([{ parameter: "group_by", code: "too_many_groups", message }]);
}
