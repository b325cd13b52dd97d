import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { estypes } from "@elastic/elasticsearch";
import { LISTED, listQuery } from "@tranche/read-models/query/list-query";
import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { expect, test } from "vitest";
import { ChangeLog } from "../cache/change-log.ts";
import { createFindNames } from "../name-search/find-names.ts";
import { createKnownValues } from "../name-search/values.ts";
import { createPagerCaches } from "../paging/caches.ts";
import { createPager } from "../paging/pager.ts";
import { fundingParameters } from "@tranche/read-models/parameters/funding";
import { investorsParameters } from "@tranche/read-models/parameters/investors";
import { changesQuery } from "@tranche/read-models/feed/changes-query";
import { atHorizon, atStart, type FeedPosition } from "@tranche/read-models/feed/position";
import { exportPage, exportSample } from "./export.ts";
import { newestChanges } from "./newest-changes.ts";
import { pageOf } from "@tranche/read-models/parameters/page";
import type { ParameterTable } from "@tranche/read-models/parameters/parameter";
import { filtersOf, readParameters } from "@tranche/read-models/parameters/read";
import { companiesParameters } from "@tranche/read-models/parameters/companies";
import { signalsParameters } from "@tranche/read-models/parameters/signals";
import { COMPANIES_LIST, FUNDING_LIST, INVESTORS_LIST, SIGNALS_LIST } from "../routes/lists.ts";
import type { Dimensions } from "@tranche/read-models/parameters/dimensions";
import { createEndpoints } from "../endpoints/endpoints.ts";
import { FUNDING_STATISTICS, SIGNALS_STATISTICS } from "../routes/statistics.ts";
import { type Figures, summarise } from "../stats/summary.ts";
import type { ApiParts } from "../routes/parts.ts";
import { findCompany, findInvestor, findRound } from "../routes/records.ts";
import { findCategories, findCountries, findDealTypes, findTechnologies } from "../routes/vocabularies.ts";
import type { Search } from "../search/search.ts";
import { createUnknownItems } from "../search/unknown-items.ts";
import { createTurns } from "../serve/turns.ts";

/*
 * Each golden file maps requests to the searches that they make. To add a request, give it the value null in the file; then, as after
 * an intended change, run `npx vitest run --project unit golden -u` and read the diff.
 */

const NAMES = indexNames("tranche");
const GENERATION = new ChangeLog().add("1", undefined);
const LISTS = {
  "/funding": { ...FUNDING_LIST, table: fundingParameters(dealTypes()) as ParameterTable },
  "/signals": { ...SIGNALS_LIST, table: signalsParameters(dealTypes()) as ParameterTable },
  "/investors": { ...INVESTORS_LIST, table: investorsParameters(dealTypes()) as ParameterTable },
  "/companies": { ...COMPANIES_LIST, table: companiesParameters(dealTypes()) as ParameterTable },
};

async function compare(name: string, searchesOf: (request: string) => unknown): Promise<void> {
  const path = fileURLToPath(new URL(`golden/${name}.json`, import.meta.url));
  const searches: Record<string, unknown> = {};
  for (const request of Object.keys(JSON.parse(await readFile(path, "utf8")) as object))
    searches[request] = await searchesOf(request);
  await expect(`${JSON.stringify(searches, null, 2)}\n`).toMatchFileSnapshot(path);
}

/** A request to a list, by a caller on the largest plan. */
function listRequest(request: string) {
  const [path, query = ""] = request.split("?") as [keyof typeof LISTS, string?];
  const { table, sorts, idField, source, model, base } = LISTS[path];
  const { values, problems } = readParameters(table, query);
  expect(problems).toEqual([]);
  const order = sorts[values.sort ?? Object.keys(sorts)[0]!]!;
  const { page } = pageOf(values, DEFAULT_PLANS.scale!);
  const search = { filters: filtersOf(table, values, base), order, idField, page, source };
  return { index: NAMES.role(model, "live"), table, values, search };
}

type Aggregation = estypes.AggregationsAggregationContainer;

/** A search that keeps what it is asked for. It finds COUNT rows; documents are c and f; buckets are as given. */
function recorder(bucketsOf: (aggregation: Aggregation) => object[]) {
  const searches: unknown[] = [];
  const search = (async (index: string, request: estypes.SearchRequest) => {
    searches.push({ index, ...request });
    const ids = request.size === 0 || request.aggs ? [] : ["c", "f"];
    const answers = Object.entries(request.aggs ?? {}).map(([name, aggregation]) => [
      name,
      { buckets: bucketsOf(aggregation), keys: { buckets: [] }, sum_other_doc_count: 0 },
    ]);
    const documents = ids.map((id) => ({ id, company_id: id }));
    const sorted = ids.map((id) => [0, id]);
    return { count: COUNT, documents, ids, sorted, aggregations: Object.fromEntries(answers) };
  }) as unknown as Search;
  return { search, searches };
}

const COUNT = 8000;
/** Buckets with so many rows that they must be divided, except those of ids. Together they have fewer than COUNT: values are missing. */
function longBuckets({ date_histogram, range, histogram, terms, filters }: Aggregation): object[] {
  const doc_count = 2000;
  if (date_histogram) {
    const days = date_histogram.calendar_interval === "day";
    const dates = days ? ["2012-02-10", "2012-02-11", "2012-02-29"] : ["2012-01-01", "2012-02-01", "2012-03-01"];
    return dates.map((key_as_string) => ({ key_as_string, doc_count }));
  }
  if (range) return range.ranges!.map((bounds, i) => ({ ...bounds, doc_count: i === 1 || i === 2 ? doc_count : 0 }));
  if (histogram) return [40, 50].map((key) => ({ key, doc_count }));
  if (terms) return ["acm", "zet"].map((key) => ({ key, doc_count }));
  return (filters!.filters as object[]).map(() => ({ doc_count: 700 }));
}

test.each(["funding", "signals", "investors", "companies"])(
  "each request to the %s list makes exactly the search of its golden file",
  (name) => compare(name, (request) => listQuery(listRequest(request).search)),
);

test.each([
  ["far down a list", "deep-pages"],
  ["after a cursor", "cursor-pages"],
])("each page %s makes exactly the searches of its golden file", (_, name) =>
  compare(name, async (request) => {
    const { search, searches } = recorder(longBuckets);
    const list = listRequest(request);
    // Rows of one value are divided by ids, too, which takes far longer lists otherwise.
    await createPager({ search, ...createPagerCaches(), maxScannedEquals: 1000, maxScannedGroup: 1000 })(list.index, {
      ...list.search,
      generation: GENERATION,
    });
    return searches;
  }),
);

test("each search of an export is exactly that of its golden file", () =>
  compare("exports", (request) => {
    const [path, query = ""] = request.split("?") as [string, string?];
    const { search } = listRequest(`${path.replace("/export", "")}?${query}`);
    const range = { after: "rnd-5", last: "rnd-9" };
    return [
      exportPage(search, 1000),
      exportPage(search, 1000, ["rnd-7", 41]),
      exportSample(search, 60),
      exportPage(search, 1000, ["rnd-7", 41], range),
    ];
  }));

/** Tickets in µs. */
const HORIZON = 2_000_000;

test("each page of changes makes exactly the search of its golden file, at each place that a reader may have reached", () =>
  compare("changes", (request) => {
    const [path, query = ""] = request.split("?") as [string, string?];
    const { search } = listRequest(`${path.replace("/changes", "")}?${query}`);
    const places = {
      start: atStart("e", HORIZON),
      "after an earlier horizon": atHorizon("e", HORIZON - 1000),
      "within a walk": {
        epoch: "e",
        asof: HORIZON - 1000,
        known: HORIZON - 2000,
        changed: HORIZON - 3000,
        id: "rnd-7",
      },
    };
    const searchAt = (place: FeedPosition) => changesQuery(search, place, { horizon: HORIZON, size: 101 });
    return Object.fromEntries(Object.entries(places).map(([name, place]) => [name, searchAt(place)]));
  }));

test("each feed link makes exactly the search of its golden file", () =>
  compare("feed-links", (request) => newestChanges(listRequest(request).search, { size: 100, horizon: HORIZON })));

test("each list of values that no row has makes exactly the searches of its golden file", () =>
  compare("known-values", async (request) => {
    const { search, searches } = recorder(({ filters }) =>
      filters ? (filters.filters as object[]).map(() => ({ doc_count: 0 })) : [],
    );
    const { index, table, values } = listRequest(request);
    await createUnknownItems(search)(index, table, values, { count: 0, generation: GENERATION });
    return searches;
  }));

test("each vocabulary makes exactly the searches of its golden file", () => {
  const finds = {
    "/categories": findCategories,
    "/countries": findCountries,
    "/technologies": findTechnologies,
    "/deal-types": findDealTypes,
  };
  return compare("vocabularies", async (path) => {
    const { search, searches } = recorder(() => []);
    const parts: Partial<ApiParts> = { search, names: NAMES, dealTypes: dealTypes() };
    await finds[path as keyof typeof finds](parts as ApiParts)();
    return searches;
  });
});

test("each look-up of a record that is not there makes exactly the searches of its golden file", () => {
  const finds = { funding: findRound, companies: findCompany, investors: findInvestor };
  return compare("look-ups", async (path) => {
    const [, folder, id] = path.split("/") as [string, keyof typeof finds, string];
    const searches: unknown[] = [];
    const search: Search = async (index, request) => {
      searches.push({ index, ...request });
      return { count: 0, more: false, documents: [], ids: [], sorted: [], matched: [], aggregations: {} };
    };
    const findNames = createFindNames({
      search,
      names: NAMES,
      knownValues: createKnownValues({ search, names: NAMES }),
    });
    const lacking = { of: async () => new Set<string>() };
    const parts: Partial<ApiParts> = { search, names: NAMES, findNames, lacking, turns: createTurns() };
    const found = finds[folder](parts as ApiParts)({
      id,
      page: { limit: 10, offset: 0 },
      asking: { account: "acc", left: () => new AbortController().signal },
      provenance: false,
    });
    await expect(found).rejects.toThrow("There is no");
    return searches;
  });
});

test("statistics make exactly the searches of their golden file", () => {
  const tables = createEndpoints(dealTypes());
  const lists = {
    "/funding/stats": { table: tables.fundingStats.parameters, ...FUNDING_STATISTICS },
    "/signals/stats": { table: tables.signalsStats.parameters, ...SIGNALS_STATISTICS },
  };
  return compare("stats", async (request) => {
    const [path, query = ""] = request.split("?") as [keyof typeof lists, string?];
    const { table, dimensions, figures } = lists[path] as (typeof lists)[keyof typeof lists] & {
      dimensions: Dimensions;
      figures: Figures<unknown>;
    };
    const { values, problems } = readParameters(table, query);
    expect(problems).toEqual([]);
    const by = (values.group_by ?? []).map((name) => dimensions[name]!);
    const searches: unknown[] = [];
    const search = async (asked: estypes.SearchRequest) => {
      searches.push(asked);
      const bucket = {
        doc_count: 2,
        amounts: { count: 1, sum: 100 },
        scores: {},
        largest: {},
        companies: {},
        median: { values: {} },
      };
      const buckets =
        by.length === 0 ? [] : [{ ...bucket, key: Object.fromEntries(by.map((_, n) => [n, n === 0 ? "a" : null])) }];
      return { count: COUNT, aggregations: { ...bucket, groups: { buckets } } as never };
    };
    const rows = { search, atOneMoment: <T>(use: (of: typeof search) => Promise<T>) => use(search) };
    await summarise(rows, { filters: filtersOf(table, values, LISTED), by, sort: "count_desc", limit: 10 }, figures);
    return searches;
  });
});
