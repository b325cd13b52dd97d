import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { fundingParameters } from "../../../libs/read-models/parameters/funding.ts";
import { DEFAULT_LIMIT } from "../../../libs/read-models/parameters/paging.ts";
import type { ParameterTable } from "../../../libs/read-models/parameters/parameter.ts";
import { filtersOf, readParameters } from "../../../libs/read-models/parameters/read.ts";
import { signalsParameters } from "../../../libs/read-models/parameters/signals.ts";
import { listQuery } from "@tranche/read-models/query/list-query";
import type { List } from "../../../apps/api/routes/list.ts";
import { FUNDING_LIST, SIGNALS_LIST } from "../../../apps/api/routes/lists.ts";

const LISTS = {
  funding: { table: fundingParameters(dealTypes()) as ParameterTable, list: FUNDING_LIST as List<never> },
  signals: { table: signalsParameters(dealTypes()) as ParameterTable, list: SIGNALS_LIST as List<never> },
};

/** The search, with the exact count, that the API makes of a query string; as JSON. */
export function searchBody(name: keyof typeof LISTS, query: string): string {
  const { table, list } = LISTS[name];
  const { values, problems } = readParameters(table, query);
  if (problems.length > 0) throw new Error(`${query}: ${problems[0]!.message}`);
  const sort = values.sort ?? Object.keys(list.sorts)[0]!;
  const page = { limit: DEFAULT_LIMIT, offset: values.offset ?? 0 };
  const { idField, source } = list;
  return JSON.stringify({
    timeout: "8000ms",
    ...listQuery({ filters: filtersOf(table, values, list.base), order: list.sorts[sort]!, idField, page, source }),
  });
}
