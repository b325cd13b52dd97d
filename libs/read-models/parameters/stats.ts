import { dimensions as dimensionsKind } from "./kinds/dimensions.ts";
import { wholeNumber } from "./kinds/numbers.ts";
import { sort } from "./kinds/sort.ts";
import type { Dimensions } from "./dimensions.ts";
import { type FiltersAnd, parameter, type ParameterTable } from "./parameter.ts";

/** The orders of groups. The first is the default, except for a single dimension of time. */
export const GROUP_SORTS = Object.freeze(["count_desc", "total_amount_desc", "key_asc"] as const);
export type GroupSort = (typeof GROUP_SORTS)[number];

/** One kind for both lists, because a name in OpenAPI means one schema. */
const GROUP_SORT = sort("GroupSort", GROUP_SORTS);

export const DEFAULT_GROUPS = 100;
const MAX_GROUPS = 1000;

/** The parameters of the statistics of a list beside its filters. `name`: of the dimensions, in OpenAPI. */
function groupingParameters(dimensions: Dimensions, name: string) {
  const names = Object.keys(dimensions) as [string, ...string[]];
  return Object.freeze({
    group_by: parameter({
      kind: dimensionsKind(names, name),
      description:
        "What to group by: one dimension, or two for all pairs of their values. Without it there is only `total`.",
      example: names[0],
    }),
    sort: parameter({
      kind: GROUP_SORT,
      description:
        "Order of the groups. Ties are ordered by key; missing values are last. A single dimension of time is in the order of time unless you say otherwise.",
      example: "total_amount_desc",
      fallback: GROUP_SORTS[0],
    }),
    limit: parameter({
      kind: wholeNumber(1, MAX_GROUPS),
      description: "Groups at most, on every plan; `other` sums up the rest.",
      example: "100",
      fallback: String(DEFAULT_GROUPS),
      unfiltered: true,
    }),
  });
}

/** The parameters of the statistics of a list. */
export type StatsTable = FiltersAnd<ReturnType<typeof groupingParameters>>;

/** Every parameter of a list's statistics: the filters of the list, then the grouping. `name`: of the dimensions, in OpenAPI. */
export function statsParameters(list: ParameterTable, dimensions: Dimensions, name: string): StatsTable {
  const filters = Object.entries(list).filter(([parameterName, row]) => !row.unfiltered && parameterName !== "sort");
  return Object.freeze({ ...Object.fromEntries(filters), ...groupingParameters(dimensions, name) });
}
