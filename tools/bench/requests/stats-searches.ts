import type { estypes } from "@elastic/elasticsearch";
import { LISTED } from "@tranche/read-models/query/list-query";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { createEndpoints } from "../../../apps/api/endpoints/endpoints.ts";
import { FUNDING_DIMENSIONS } from "../../../libs/read-models/parameters/dimensions.ts";
import type { ParameterTable } from "../../../libs/read-models/parameters/parameter.ts";
import { filtersOf, readParameters } from "../../../libs/read-models/parameters/read.ts";
import { DEFAULT_GROUPS } from "../../../libs/read-models/parameters/stats.ts";
import { FUNDING_FIGURES } from "../../../apps/api/stats/funding.ts";
import type { SearchRows } from "../../../apps/api/stats/groups-page.ts";
import { summarise } from "../../../apps/api/stats/summary.ts";
import type { Environment } from "../environment/environment.ts";
import type { Exchange } from "../load/exchange.ts";

const TABLE: ParameterTable = createEndpoints(dealTypes()).fundingStats.parameters;

/**
 * The aggregations that the API asks for to answer a query string, as requests to Elasticsearch, in their order. Later ones depend on
 * what earlier ones found. The look-ups of names are not among them.
 */
export async function statsSearches({ client, names }: Environment, query: string): Promise<Exchange[]> {
  const index = names.role("funding", "live");
  const made: Exchange[] = [];
  const search: SearchRows = async ({ request_cache, ...request }: estypes.SearchRequest) => {
    // They are sent again and again, so Elasticsearch must not cache them.
    if (request_cache !== false) throw new Error("Elasticsearch would cache a search of the benchmark");
    const path = `/${index}/_search?allow_partial_search_results=false&request_cache=false`;
    made.push({ method: "POST", path, body: JSON.stringify({ timeout: "8000ms", ...request }) });
    const { hits, aggregations = {} } = await client.search({ index, request_cache, ...request });
    return { count: typeof hits.total === "number" ? hits.total : (hits.total?.value ?? 0), aggregations };
  };
  const { values } = readParameters(TABLE, query);
  const by = ((values["group_by"] ?? []) as (keyof typeof FUNDING_DIMENSIONS)[]).map(
    (name) => FUNDING_DIMENSIONS[name],
  );
  const request = { filters: filtersOf(TABLE, values, LISTED), by, sort: "count_desc", limit: DEFAULT_GROUPS } as const;
  await summarise({ search, atOneMoment: (use) => use(search) }, request, FUNDING_FIGURES);
  return made;
}
