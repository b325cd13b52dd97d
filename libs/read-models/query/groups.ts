import type { estypes } from "@elastic/elasticsearch";
import { clauses, type Filter } from "./filters.ts";
import type { AllOf } from "./list-query.ts";

/** The criterion by which rows are grouped: a field, or the calendar interval of a day in it. */
export type GroupSource = { field: string; interval?: "year" | "quarter" | "month" };

export type Aggregations = Readonly<Record<string, estypes.AggregationsAggregationContainer>>;

/** The value of each source in a group; null: the field has no value. */
export type GroupKey = readonly (string | null)[];

/** Where the next page of groups begins, as Elasticsearch said it. */
export type After = Record<string, estypes.FieldValue>;

/**
 * The most groups in `among`: each takes up to four clauses, and with a small heap and many processors Elasticsearch allows
 * little more than 1,024 in a query.
 */
export const MOST_AMONG = 200;

export type GroupsSearch = {
  filters: readonly Filter[];
  by: readonly GroupSource[];
  /** The aggregations of each group. */
  each: Aggregations;
  /** The aggregations over all rows. */
  all?: Aggregations;
  /** Groups in a page. */
  size: number;
  after?: After | undefined;
  /** Leaves out rows that are in none of these groups, by the first sources. Other groups of the rows that stay are found, too. At most `MOST_AMONG`. */
  among?: readonly GroupKey[];
};

/**
 * The search for one page of groups. A composite aggregation finds every group and counts it exactly on any number of shards; a
 * terms aggregation does not.
 */
export function groupsQuery(parts: GroupsSearch): estypes.SearchRequest & { query: AllOf } {
  const { filters, by, each, all = {}, size, after, among } = parts;
  const selected = among ? [inAny(by, among)] : [];
  const sources = by.map((source, n) => ({ [n]: sourceOf(source) }));
  const groups = { composite: { size, sources, ...(after && { after }) }, aggs: each };
  return {
    query: { bool: { filter: [...clauses(filters), ...selected] } },
    size: 0,
    // Storing the sketches of a thousand groups takes Elasticsearch a fifth of the time that a search takes.
    request_cache: false,
    track_total_hits: true,
    aggs: { ...all, ...(by.length > 0 ? { groups } : {}) },
  };
}

/** The key of a group, as a bucket of `groupsQuery` has it. */
export function keyOfBucket(by: readonly GroupSource[], key: Record<string, string | number | null>): GroupKey {
  return by.map(({ interval }, n) => {
    const value = key[n] ?? null;
    if (value === null) return null;
    return interval === "quarter" ? quarterOf(String(value)) : String(value);
  });
}

function sourceOf({ field, interval }: GroupSource): estypes.AggregationsCompositeAggregationSource {
  if (!interval) return { terms: { field, missing_bucket: true } };
  const format = interval === "year" ? "yyyy" : "yyyy-MM";
  return { date_histogram: { field, calendar_interval: interval, format } };
}

/** The quarter that begins in a month: `2013-04` as `2013-Q2`. */
const quarterOf = (month: string): string => `${month.slice(0, 4)}-Q${(Number(month.slice(5)) + 2) / 3}`;

/** The first and the last day of a year, a quarter or a month. */
export function daysOf(period: string): { from: string; to: string } {
  const [year, part] = period.split("-") as [string, string?];
  if (part === undefined) return { from: `${year}-01-01`, to: `${year}-12-31` };
  const first = part.startsWith("Q") ? 3 * Number(part.slice(1)) - 2 : Number(part);
  const last = part.startsWith("Q") ? first + 2 : first;
  // The calendar repeats after 400 years; `Date.UTC` takes the years before 100 for those of the last century.
  const days = new Date(Date.UTC(2000 + (Number(year) % 400), last, 0)).getUTCDate();
  const two = (n: number) => String(n).padStart(2, "0");
  return { from: `${year}-${two(first)}-01`, to: `${year}-${two(last)}-${two(days)}` };
}

/** Rows that are in one of these groups. */
function inAny(by: readonly GroupSource[], keys: readonly GroupKey[]): estypes.QueryDslQueryContainer {
  const [first, ...rest] = by as [GroupSource, ...GroupSource[]];
  if (keys[0]!.length === 1)
    return {
      bool: {
        should: valuesOf(
          first,
          keys.map(([key]) => key!),
        ),
      },
    };
  const byFirst = Map.groupBy(keys, ([key]) => key!);
  const should = [...byFirst].map(([key, those]) => ({
    bool: {
      filter: [
        ...valuesOf(first, [key]),
        inAny(
          rest,
          those.map(([, ...others]) => others),
        ),
      ],
    },
  }));
  return { bool: { should } };
}

/** Clauses. At least one of them holds for a row with one of these values. */
function valuesOf(
  { field, interval }: GroupSource,
  values: readonly (string | null)[],
): estypes.QueryDslQueryContainer[] {
  const present = values.filter((value) => value !== null);
  const missing = present.length < values.length ? [{ bool: { must_not: [{ exists: { field } }] } }] : [];
  if (!interval) return [...missing, ...(present.length > 0 ? [{ terms: { [field]: present } }] : [])];
  return present.map((period) => {
    const { from, to } = daysOf(period);
    return { range: { [field]: { gte: from, lte: to } } };
  });
}
