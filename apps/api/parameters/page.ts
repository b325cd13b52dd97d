import type { Plan } from "@tranche/shared/accounts/plans";
import type { Problem } from "../errors/catalogue.ts";
import type { Warning } from "./warning.ts";
import type { Page } from "@tranche/read-models/query/list-query";
import { DEFAULT_LIMIT } from "./paging.ts";
import type { Values } from "./parameter.ts";

/** The requested page, no larger than the plan allows. */
export function pageOf(values: Values, plan: Plan): { page: Page; warnings: Warning[] } {
  const asked = values.limit ?? DEFAULT_LIMIT;
  const limit = Math.min(asked, plan.max_limit);
  const page = { limit, offset: values.offset ?? 0 };
  // Without `limit` the caller did not ask for more than the plan allows, so a lower cap needs no warning.
  if (limit === asked || values.limit === undefined) return { page, warnings: [] };
  const message = `A page has at most ${limit} rows on the plan ${plan.name}; ${asked} were asked for. The Link header has the next page.`;
  return { page, warnings: [{ code: "limit_capped", message, parameter: "limit" }] };
}

/** The problem of a page larger than the plan allows, for callers that prefer strict handling. */
export function abovePlanLimit(values: Values, plan: Plan): Problem[] {
  const asked = values.limit;
  if (asked === undefined || asked <= plan.max_limit) return [];
  const message = `A page has at most ${plan.max_limit} rows on the plan ${plan.name}.`;
  return [{ parameter: "limit", code: "above_plan_limit", message, value: asked, suggestion: String(plan.max_limit) }];
}
