import { expect, test } from "vitest";
import { dealTypes } from "@tranche/shared/vocabulary/deal-types";
import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import { FUNDING_SORTS, fundingParameters } from "../parameters/funding.ts";
import { pageOf } from "../parameters/page.ts";
import { filtersOf, readParameters } from "../parameters/read.ts";
import { SIGNALS_SORTS, signalsParameters } from "../parameters/signals.ts";
import funding from "./funding.golden.json" with { type: "json" };
import { listQuery, type Order } from "@tranche/read-models/query/list-query";
import signals from "./signals.golden.json" with { type: "json" };

const LISTS = {
  "/funding": {
    table: fundingParameters(dealTypes()),
    sorts: FUNDING_SORTS as Record<string, Order>,
    idField: "id",
    source: ["row"],
  },
  "/signals": {
    table: signalsParameters(dealTypes()),
    sorts: SIGNALS_SORTS as Record<string, Order>,
    idField: "company_id",
    source: ["row", "lead_investors"],
  },
};

/** The search that a request is answered with, for a caller on the largest plan. */
function bodyOf(request: string) {
  const [path, query = ""] = request.split("?") as [keyof typeof LISTS, string?];
  const { table, sorts, idField, source } = LISTS[path];
  const { values, problems } = readParameters(table, query);
  expect(problems).toEqual([]);
  const sort = (values.sort as string | undefined) ?? Object.keys(sorts)[0]!;
  const { page } = pageOf(values, DEFAULT_PLANS.scale!);
  return listQuery({ filters: filtersOf(table, values), order: sorts[sort]!, idField, page, source });
}

test.each([
  ["funding", funding],
  ["signals", signals],
])("each request to the %s list makes exactly the search of its golden file", (_, golden) => {
  for (const [request, body] of Object.entries(golden)) expect(bodyOf(request), request).toEqual(body);
});
