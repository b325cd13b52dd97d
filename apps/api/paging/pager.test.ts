import type { FundingDocument } from "@tranche/read-models/documents/funding";
import type { estypes } from "@elastic/elasticsearch";
import { expect, test } from "vitest";
import { ChangeLog } from "../cache/change-log.ts";
import { anyOf } from "@tranche/read-models/query/filters";
import { createPagerCaches } from "./caches.ts";
import { createPager } from "./pager.ts";
import type { Search } from "../search/search.ts";

/** A pager with empty caches. */
const pagerOver = (search: Search) => createPager({ search, ...createPagerCaches() });

/** American rounds, in a generation of their own. */
const requested = () => ({
  filters: anyOf<FundingDocument>("country", ["US"]),
  idField: "id",
  source: [],
  generation: new ChangeLog().add("1", undefined),
});

/** Requests a page of three twice; `rows`: how many rows the index has at each request. The index counts only when it is asked to. */
async function askedTwice(...rows: [number, number]) {
  const asked: boolean[] = [];
  const search = (async (_index: string, request: estypes.SearchRequest) => {
    const there = rows[asked.length === 0 ? 0 : 1];
    asked.push(request.track_total_hits !== false);
    const ids = Array.from({ length: Math.min(3, there) }, (_, n) => String(n));
    return {
      count: request.track_total_hits ? there : 0,
      documents: ids,
      ids,
      sorted: ids.map((id) => [0, id]),
      aggregations: {},
    };
  }) as unknown as Search;
  const page = pagerOver(search);
  const request = {
    ...requested(),
    order: { field: "announced_date", direction: "desc", by: "days" },
    page: { limit: 3, offset: 0 },
  } as const;
  await page("funding", request);
  const { count, ids } = await page("funding", request);
  return { count, rows: ids.length, counted: asked };
}

test("a cached count is not counted again", async () => {
  expect(await askedTwice(5, 5)).toEqual({ count: 5, rows: 3, counted: [true, false] });
  expect(await askedTwice(2, 2)).toEqual({ count: 2, rows: 2, counted: [true, false] });
});

test("rows that do not fit the cached count are counted again, because searches show them before their generation is announced", async () => {
  expect(await askedTwice(1, 2)).toEqual({ count: 2, rows: 2, counted: [true, false, true] });
  expect(await askedTwice(2, 0)).toEqual({ count: 0, rows: 0, counted: [true, false, true] });
});

test("a list longer than is counted with its rows is counted by a search of its own, once", async () => {
  const asked: unknown[] = [];
  const search = (async (_index: string, { size, track_total_hits: counted }: estypes.SearchRequest) => {
    asked.push([size, counted]);
    const ids = Array.from({ length: size! }, (_, n) => String(n));
    const count = counted === true ? 12_345 : Number(counted);
    const sorted = ids.map((id) => [0, id]);
    return { count, more: typeof counted === "number", documents: ids, ids, sorted, aggregations: {} };
  }) as unknown as Search;
  const page = pagerOver(search);
  const request = { ...requested(), order: { field: "amount_usd", direction: "asc", by: "amounts" } } as const;
  expect((await page("funding", { ...request, page: { limit: 3, offset: 0 } })).count).toBe(12_345);
  expect((await page("funding", { ...request, page: { limit: 3, offset: 3 } })).count).toBe(12_345);
  expect(asked).toEqual([
    [3, 10_000],
    [0, true],
    [3, false],
  ]);
});
