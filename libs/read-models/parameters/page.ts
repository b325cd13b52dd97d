import type { Plan } from "@tranche/shared/accounts/plans";
import type { Page } from "../query/list-query.ts";
import { fitsOrder } from "../query/row-position.ts";
import type { Order } from "../query/order.ts";
import { encodeCursor } from "../query/cursor.ts";
import { listDigest } from "../query/sealed.ts";
import type { Problem } from "./problem.ts";
import { DEFAULT_LIMIT } from "./paging.ts";
import type { ParameterTable, Values } from "./parameter.ts";
import { shortened } from "./query-string.ts";
import { filtersApplied } from "./read.ts";
import type { Warning } from "./warning.ts";

/** The requested page, no larger than the plan allows. */
export function pageOf(values: Values, plan: Plan): { page: Page; warnings: Warning[] } {
  const asked = values.limit ?? DEFAULT_LIMIT;
  const limit = Math.min(asked, plan.max_limit);
  const { offset = 0, cursor } = values;
  const page = { limit, offset, ...(cursor ? { after: cursor.position } : {}) };
  // Without `limit` the caller did not ask for more than the plan allows, so a lower cap needs no warning.
  if (limit === asked || values.limit === undefined) return { page, warnings: [] };
  const message = `A page has at most ${limit} rows on the plan ${plan.name}; ${asked} were asked for. Any others are on the next page.`;
  return { page, warnings: [{ code: "limit_capped", message, parameter: "limit" }] };
}

/** The problem of a page larger than the plan allows, for callers that prefer strict handling. */
export function abovePlanLimit(values: Values, plan: Plan): Problem[] {
  const asked = values.limit;
  if (asked === undefined || asked <= plan.max_limit) return [];
  const message = `A page has at most ${plan.max_limit} rows on the plan ${plan.name}.`;
  return [{ parameter: "limit", code: "above_plan_limit", message, value: asked, suggestion: String(plan.max_limit) }];
}

/** A list in one of its orders. */
export type OrderedList = { path: string; parameters: ParameterTable; sort: string; order: Order };

/**
 * The problems of a cursor that was read: it comes with an offset, or it does not belong to the list. `known`: all other parameters
 * were read too, so the list is known.
 */
export function cursorProblems(values: Values, list: OrderedList, known: boolean): Problem[] {
  const { cursor, offset } = values;
  if (!cursor) return [];
  const value = shortened(encodeCursor(cursor));
  const problems: Problem[] = [];
  if (offset !== undefined) {
    const message =
      "cursor and offset can't be used together: a cursor already says where the page begins. Leave one of them out.";
    problems.push({ parameter: "cursor", code: "contradiction", message, value });
  }
  const { path, parameters, sort, order } = list;
  const digest = listDigest(path, filtersApplied(parameters, values, sort));
  if (known && (cursor.digest !== digest || !fitsOrder(order, cursor.position))) {
    const message =
      "cursor belongs to another list, other filters or another sort. Send it with those of the page that gave it, or leave it out to begin with the first page.";
    problems.push({ parameter: "cursor", code: "other_list", message, value });
  }
  return problems;
}
