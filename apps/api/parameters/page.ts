import type { Plan } from "@tranche/shared/accounts/plans";
import type { Problem } from "../errors/catalogue.ts";
import type { Warning } from "./warning.ts";
import type { Page } from "@tranche/read-models/query/list-query";
import { DEFAULT_LIMIT } from "./paging.ts";
import type { Values } from "./parameter.ts";

/** The page that is asked for, no larger than the plan allows. */
export function pageOf(values: Values, plan: Plan): { page: Page; warnings: Warning[] } {
  const asked = (values.limit as number | undefined) ?? DEFAULT_LIMIT;
  const limit = Math.min(asked, plan.max_limit);
  const page = { limit, offset: (values.offset as number | undefined) ?? 0 };
  // A plan whose cap is below the default caps silently: nobody asked for more.
  if (limit === asked || values.limit === undefined) return { page, warnings: [] };
  const message = `A page has at most ${limit} rows on the plan ${plan.name}; ${asked} were asked for. The Link header has the next page.`;
  return { page, warnings: [{ code: "limit_capped", message, parameter: "limit" }] };
}

/** What a caller who prefers strict handling is told instead of getting a smaller page. */
export function abovePlanLimit(values: Values, plan: Plan): Problem[] {
  const asked = values.limit as number | undefined;
  if (asked === undefined || asked <= plan.max_limit) return [];
  const message = `A page has at most ${plan.max_limit} rows on the plan ${plan.name}.`;
  return [{ parameter: "limit", code: "above_plan_limit", message, value: asked, suggestion: String(plan.max_limit) }];
}
