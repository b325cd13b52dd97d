import { LISTED } from "@tranche/read-models/query/list-query";
import type { ReadModel } from "@tranche/shared/engines/search/index-names";
import type { Answer, Refusal } from "../present/answer.ts";
import type { Cacheable, Generation } from "../serve/generation.ts";
import type { Serve } from "../serve/call.ts";
import type { UncachedSteps } from "../serve/list-steps.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { Dimension, Dimensions } from "@tranche/read-models/parameters/dimensions";
import type { Values, ValuesOf } from "@tranche/read-models/parameters/parameter";
import { filtersApplied, filtersOf } from "@tranche/read-models/parameters/read";
import { DEFAULT_GROUPS, GROUP_SORTS, type GroupSort, type StatsTable } from "@tranche/read-models/parameters/stats";
import { type Member, presentStats } from "../present/stats.ts";
import { isTooManyGroups } from "../stats/errors.ts";
import { createNaming } from "../stats/naming.ts";
import { selectionOf } from "../stats/select.ts";
import { type Figures, type Rows, type Summary, summarise } from "../stats/summary.ts";
import type { Group, Rest, Tally } from "../stats/group.ts";
import type { Gap } from "../stats/timeline.ts";
import type { Warning } from "@tranche/read-models/parameters/warning";
import { serveSteps } from "./list.ts";
import { assertFilled } from "./assert-filled.ts";
import type { ApiParts } from "./parts.ts";
import { type ApiRequest, readRequest } from "./request.ts";

/** The differences between the statistics of the lists. */
export type Statistics<Details> = {
  model: ReadModel;
  dimensions: Dimensions;
  figures: Figures<Details>;
  /** The figures of a group or of all rows as callers see them. */
  present: (row: Tally & { details?: Details }) => Member[];
  presentRest: (rest: Rest) => Member[];
  /** Figures that may be approximate in some of the groups, with their typical relative error. */
  approximate: (summary: Summary<Details>) => Record<string, number>;
};

/** Documents of the index that one request of the quota pays for. */
const DOCUMENTS_PER_REQUEST = 250_000;

/** All that an answer depends on beside the documents. */
type StatsPage = { values: Values; by: readonly string[]; sort: GroupSort; limit: number };

/** Serves the statistics of a list. With caches, some of its steps are replaced by cached ones. */
export function serveStats<Details>(
  endpoint: Endpoint<StatsTable>,
  statistics: Statistics<Details>,
  parts: ApiParts,
): Serve {
  const steps = statsSteps(endpoint, statistics, parts);
  return serveSteps(endpoint.path, statistics.model, steps, parts.caches);
}

/** The cost of statistics, known before the work. `documents`: those of their index, if they are known. */
const statsCost = (grouped: boolean, documents = 1): number =>
  grouped ? Math.max(1, Math.ceil(documents / DOCUMENTS_PER_REQUEST)) : 1;

function statsSteps<Details>(
  endpoint: Endpoint<StatsTable>,
  { model, dimensions, figures, present, presentRest, approximate }: Statistics<Details>,
  parts: ApiParts,
): UncachedSteps<ApiRequest<StatsTable>, StatsPage> {
  const { parameters } = endpoint;
  const index = parts.names.role(model, "live");
  const naming = createNaming(parts, parts.caches?.generations);
  const isGrouped = ({ values }: ApiRequest<StatsTable>) => values.group_by !== undefined;
  const rowsUntil = (left: AbortSignal): Rows => ({
    search: (body, withinMs) => parts.statistics.search(index, body, left, withinMs),
    async atOneMoment(use) {
      const pointInTime = await parts.statistics.openPointInTime(index, left);
      try {
        return await use((body, withinMs) => pointInTime.aggregate(body, left, withinMs));
      } finally {
        await pointInTime.close();
      }
    },
  });

  return {
    identify: parts.identify,
    parse: (call) => readRequest(call, endpoint),
    costsUnchanged: isGrouped,
    admit: (caller, request) =>
      parts.admit(caller, request.refusal, {
        requests: statsCost(isGrouped(request), parts.caches?.documents(model)),
        own: true,
      }),
    page: ({ values }) => pageOf(values, dimensions),
    answer: (page, { account, generation }, left) =>
      parts.turns.inTurn(account, left, () => summaryOf(page, generation, rowsUntil(left))),
  };

  async function summaryOf(
    { values, by: names, sort, limit }: StatsPage,
    generation: Generation | undefined,
    rows: Rows,
  ): Promise<Cacheable<Answer | Refusal>> {
    const by = names.map((name): readonly [string, Dimension] => [name, dimensions[name]!]);
    const grouping = by.map(([, dimension]) => dimension);
    const asked = { filters: { table: parameters, values }, groups: by, figures };
    await assertFilled({ lacking: parts.lacking, model, asked, generation });
    const filters = filtersOf(parameters, values, LISTED);
    const request = { filters, by: grouping, sort, limit };
    const dependencies = { filters, ids: [], all: true as const };
    let summary: Summary<Details>;
    try {
      summary = await summarise(rows, request, figures);
    } catch (error) {
      // Elasticsearch may have been slow for a moment only, so nothing is kept of one search that took all the time.
      if (!isTooManyGroups(error) || error.cause) throw error;
      // The refusal takes more searches than any answer, so it is cached as one, and costs as much.
      return { value: { refused: error }, dependencies };
    }
    const [nameOf, warnings] = await Promise.all([
      naming(grouping, summary.groups),
      parts.unknownItems(index, parameters, values, { count: summary.total.count, generation }),
    ]);
    const group = ({ key, ...row }: Group<Details>) => ({
      head: { key, names: nameOf(key), filters: selectionOf(parameters, values, grouping, key) },
      count: row.count,
      figures: present(row),
    });
    const value = presentStats({
      by,
      groups: summary.groups.map(group),
      total: { count: summary.total.count, figures: present(summary.total) },
      other: summary.rest.groups > 0 ? presentRest(summary.rest) : null,
      approximate: approximate(summary),
      filtersApplied: filtersApplied(parameters, values, sort),
      warnings: [...warnings, ...summary.gaps.map(gapWarning)],
    });
    // Any new document may have the unknown value.
    return { value, dependencies: warnings.length === 0 ? dependencies : undefined };
  }
}

const gapWarning = ({ first, last, periods }: Gap): Warning => ({
  code: "periods_left_out",
  message: `The ${periods.toLocaleString("en")} periods from ${first} to ${last} have no rows and are left out: only runs of up to 1,000 are shown. If a date before or after them is wrong, from and to leave it out.`,
  parameter: "group_by",
});

/** A parsed request, its defaults filled in. */
function pageOf(values: ValuesOf<StatsTable>, dimensions: Dimensions): StatsPage {
  const { limit = DEFAULT_GROUPS, ...rest } = values;
  const by = values.group_by ?? [];
  const overTime = by.length === 1 && dimensions[by[0]!]!.source.interval !== undefined;
  const sort = values.sort ?? (overTime ? "key_asc" : GROUP_SORTS[0]);
  return { values: rest, by, sort, limit };
}
