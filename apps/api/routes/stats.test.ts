import type { estypes } from "@elastic/elasticsearch";
import { errorResponses } from "@tranche/http/errors/error-responses";
import { createLogger } from "@tranche/shared/process/logger";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import Koa from "koa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { served } from "../../../tests/support/served.ts";
import type { Cost } from "../admission/price-list.ts";
import { ChangeLog } from "../cache/change-log.ts";
import { createSingleFlight } from "../cache/single-flight.ts";
import { createValidatedCache } from "../cache/validated-cache.ts";
import { createEndpoints } from "../endpoints/endpoints.ts";
import type { ApiParts } from "./parts.ts";
import { SIGNALS_STATISTICS } from "./statistics.ts";
import { createTurns } from "../serve/turns.ts";
import { answered } from "./respond.ts";
import { serveStats } from "./stats.ts";

/** How many groups there are, in pages as Elasticsearch gives them. */
let groups: number;
let searches: number;
let documents: number | undefined;
let costs: number[];
let log: ChangeLog;
let url: string;
let close: () => void;

const search = async ({ aggs }: estypes.SearchRequest) => {
  searches++;
  const all = { amounts: { count: 0, sum: 0 }, scores: { value: 0 } };
  const { size = 0, after } = aggs!["groups"]?.composite ?? {};
  const start = Number(after?.["0"] ?? 0);
  const buckets = Array.from({ length: Math.max(0, Math.min(size, groups - start)) }, (_, n) => ({
    key: { 0: String(start + n + 1) },
    doc_count: 1,
    ...all,
  }));
  return { count: 1, aggregations: { ...all, groups: { buckets, after_key: { 0: String(start + buckets.length) } } } };
};

beforeEach(async () => {
  [groups, searches, log] = [1_000_000, 0, new ChangeLog()];
  [documents, costs] = [undefined, []];
  log.add("1", undefined);
  const parts = {
    names: indexNames("test"),
    identify: async () => {},
    admit: async (_caller: unknown, _refusalOf: unknown, { requests }: Cost) => {
      costs.push(requests);
      return { account: "acc", plan: {} };
    },
    turns: createTurns(),
    lacking: { of: async () => new Set() },
    unknownItems: async () => [],
    statistics: {
      search: (_index: string, request: estypes.SearchRequest) => search(request),
      openPointInTime: async () => ({ aggregate: search, close: async () => {} }),
    },
    caches: {
      generations: async () => log.last,
      pages: createSingleFlight(createValidatedCache({ maxBytes: 1_000_000 })),
      front: undefined,
      count: { pages() {}, search() {} },
      documents: () => documents,
    },
  } as unknown as ApiParts;
  const app = new Koa();
  app.use(errorResponses(createLogger("test", "error"), ""));
  app.use(answered(serveStats(createEndpoints(dealTypes()).signalsStats, SIGNALS_STATISTICS, parts)));
  ({ url, close } = await served(app.callback()));
});
afterEach(() => close());

async function ask(query = "group_by=score_band") {
  const before = searches;
  const response = await fetch(`${url}/api/v1/signals/stats?${query}`);
  const { error } = (await response.json()) as { error?: { details: { code: string }[] } };
  return { status: response.status, code: error?.details[0]?.code, searches: searches - before };
}

const REFUSED = { status: 400, code: "too_many_groups" };

test("a repeated request with too many groups is refused without a search", async () => {
  const first = await ask();
  expect(first).toMatchObject(REFUSED);
  expect(first.searches).toBeGreaterThan(10);
  for (let n = 0; n < 3; n++) expect(await ask()).toEqual({ ...REFUSED, searches: 0 });
  // Another sort is another request.
  expect((await ask("group_by=score_band&sort=key_asc")).searches).toBeGreaterThan(10);
});

test("it is answered as soon as a change leaves fewer groups, and searched again after a change that leaves as many", async () => {
  await ask();
  log.add("2", { redrawn: ["a company"], moved: [], begun: 1 });
  const again = await ask();
  expect(again).toMatchObject(REFUSED);
  expect(again.searches).toBeGreaterThan(10);
  groups = 2;
  log.add("3", { redrawn: ["a company"], moved: [], begun: 1 });
  expect(await ask()).toMatchObject({ status: 200, code: undefined });
});

test("groups cost a request for each 250,000 documents of the index, and one where their number is not known", async () => {
  groups = 1;
  for (documents of [undefined, 0, 250_000, 250_001, 1_000_000]) await ask();
  await ask("country=US");
  expect(costs).toEqual([1, 1, 1, 2, 4, 1]);
});
