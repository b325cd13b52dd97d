import type { Filter } from "@tranche/read-models/query/filters";
import type { Dimension } from "@tranche/read-models/parameters/dimensions";
import type { GroupSort } from "@tranche/read-models/parameters/stats";
import { type Aggregations, MOST_AMONG } from "@tranche/read-models/query/groups";
import { ApiError } from "../errors/api-error.ts";
import { tooManyGroups } from "./errors.ts";
import type { Group, Rest, Tally } from "./group.ts";
import {
  type GroupBucket,
  type FoundGroup,
  type GroupsPage,
  groupsPage,
  type SearchRows,
  tallyOf,
  textOf,
} from "./groups-page.ts";
import { orderOf } from "./order.ts";
import { Ranking } from "./ranking.ts";
import { chunks } from "@tranche/shared/engines/search/chunks";
import { filled, type Gap } from "./timeline.ts";

/** Most requests have fewer groups, and one search finds all about them. */
const DETAILED_PAGE = 1000;
/** Groups that are only counted. */
const PAGE = 10_000;
const MAX_GROUPS = 100_000;
/** All searches of a summary end within this: a connection on which nothing is sent ends after 30 s. */
export const STATISTICS_WITHIN_MS = 20_000;

/** The computations over the rows of a read model. */
export type Figures<Details> = {
  /** Computed for every group: `amounts` gives their count and sum. */
  tally: Aggregations;
  /** Computed for the groups that are shown. */
  details: Aggregations;
  /** The same over all rows. Default: as for groups. */
  overall?: Aggregations;
  detailsOf: (bucket: GroupBucket) => Details;
  /** Makes estimates of aggregations exact where that is cheap. Default: the summary as it is. */
  refine?: (search: SearchRows, request: SummaryRequest, summary: Summary<Details>) => Promise<Summary<Details>>;
};

export type SummaryRequest = {
  filters: readonly Filter[];
  /** The dimensions to group by: none, one or two. */
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
  /** Long runs of periods without rows, for which there are no groups. */
  gaps: readonly Gap[];
};

/** As `SearchRows`; `withinMs`: how long the search may take. Throws `unavailable` after that. */
type SearchRowsWithin = (request: Parameters<SearchRows>[0], withinMs: number) => ReturnType<SearchRows>;

/** The rows of a list: as they are, and as they were at one moment for as long as `use` takes. */
export type Rows = {
  search: SearchRowsWithin;
  atOneMoment: <T>(use: (search: SearchRowsWithin) => Promise<T>) => Promise<T>;
};

/**
 * Summarises the rows that match the filters. As a rule one search finds the total and all groups. If there are more groups, several
 * searches have to find them, which must all see the same rows. Throws `too_many_groups` when there are too many, or when they take too long.
 * `now`: in ms.
 */
export async function summarise<Details>(
  rows: Rows,
  request: SummaryRequest,
  figures: Figures<Details>,
  now: () => number = () => performance.now(),
): Promise<Summary<Details>> {
  const { search, atOneMoment } = inTime(rows, now);
  const first = await firstPage(search, request, figures);
  if (!first.after) return summaryOf(search, request, figures, first);
  return atOneMoment(async (searchThen) =>
    summaryOf(searchThen, request, figures, await firstPage(searchThen, request, figures)),
  );
}

/** The same rows, whose searches share the time that there is. They are refused when it is over. */
function inTime(rows: Rows, now: () => number) {
  const end = now() + STATISTICS_WITHIN_MS;
  const limited =
    (search: SearchRowsWithin): SearchRows =>
    async (request) => {
      const left = end - now();
      if (left <= 0) throw tooSlow();
      try {
        return await search(request, Math.ceil(left));
      } catch (error) {
        throw isUnavailable(error) && now() >= end ? tooSlow(error) : error;
      }
    };
  return {
    search: limited(rows.search),
    atOneMoment: <T>(use: (search: SearchRows) => Promise<T>) => rows.atOneMoment((search) => use(limited(search))),
  };
}

/** `cause`: of a search that took all the time that was left. */
const tooSlow = (cause?: Error) =>
  tooManyGroups(`These groups take longer than ${STATISTICS_WITHIN_MS / 1000} seconds to count.`, cause);

const isUnavailable = (error: unknown): error is ApiError => error instanceof ApiError && error.code === "unavailable";

/** The total, and the groups of the first page with their details. */
function firstPage<Details>(
  search: SearchRows,
  { filters, by }: SummaryRequest,
  { tally, details, overall = details }: Figures<Details>,
): Promise<GroupsPage> {
  const each = { ...tally, ...details };
  return groupsPage(search, { filters, by: sourcesOf(by), each, all: { ...tally, ...overall }, size: DETAILED_PAGE });
}

/** The summary that begins with a first page of groups. */
async function summaryOf<Details>(
  search: SearchRows,
  request: SummaryRequest,
  figures: Figures<Details>,
  first: GroupsPage,
): Promise<Summary<Details>> {
  const { filters, by, sort, limit } = request;
  const order = orderOf(sort, by);
  const ranking = new Ranking<Details>(order, limit);
  /** All periods with rows, if groups are periods of time. */
  const interval = by.length === 1 ? by[0]!.source.interval : undefined;
  const periods = new Set<string>();
  const add = (groups: readonly Group<Details>[]) => {
    ranking.add(groups);
    if (interval) for (const { key } of groups) periods.add(key[0]!);
    if (ranking.size > MAX_GROUPS) {
      throw tooManyGroups(`There are more than ${MAX_GROUPS.toLocaleString("en")} groups.`);
    }
  };

  add(first.groups.map((group) => withDetails(group, figures)));
  for (let { after } = first; after;) {
    const page = await groupsPage(search, { filters, by: sourcesOf(by), each: figures.tally, size: PAGE, after });
    add(page.groups.map(({ key, count, disclosed, cents }) => ({ key, count, disclosed, cents })));
    ({ after } = page);
  }

  const summary: Summary<Details> = {
    total: { ...tallyOf(first.overall), details: figures.detailsOf(first.overall) },
    groups: await detailed(search, request, figures, ranking.first),
    rest: ranking.rest,
    size: ranking.size,
    gaps: [],
  };
  const refined = (await figures.refine?.(search, request, summary)) ?? summary;
  if (!interval) return refined;
  const { groups, gaps } = filled(refined.groups, interval, periods);
  return { ...refined, groups: groups.sort(order), gaps };
}

/** The groups with their details. Those of the first page have them already. */
async function detailed<Details>(
  search: SearchRows,
  { filters, by }: SummaryRequest,
  figures: Figures<Details>,
  groups: readonly Group<Details>[],
): Promise<readonly Group<Details>[]> {
  const bare = groups.filter(({ details }) => !details).map(({ key }) => key);
  const found = new Map<string, Group<Details>>();
  const each = { ...figures.tally, ...figures.details };
  for (const among of chunks(bare, MOST_AMONG)) {
    const left = new Set(among.map(textOf));
    let after: GroupsPage["after"];
    do {
      // Rows of these groups can be in other groups, too.
      const page = await groupsPage(search, { filters, by: sourcesOf(by), each, size: DETAILED_PAGE, after, among });
      for (const group of page.groups) {
        const text = textOf(group.key);
        if (left.delete(text)) found.set(text, withDetails(group, figures));
      }
      ({ after } = page);
    } while (after && left.size > 0);
  }
  return groups.map((group) => found.get(textOf(group.key)) ?? group);
}

const sourcesOf = (by: readonly Dimension[]) => by.map(({ source }) => source);

function withDetails<Details>(
  { key, count, disclosed, cents, bucket }: FoundGroup,
  { detailsOf }: Figures<Details>,
): Group<Details> {
  return { key, count, disclosed, cents, details: detailsOf(bucket) };
}
