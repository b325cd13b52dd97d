import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import { atLeast, type Filter } from "@tranche/read-models/query/filters";
import type { Order } from "@tranche/read-models/query/order";
import { expect, onTestFinished, test, vi } from "vitest";
import { ASCENDING, engineOfRows, GERMAN, type Row, rowsOf, WITH_IT } from "../../../tests/support/engine-of-rows.ts";
import { ChangeLog } from "../cache/change-log.ts";
import type { Generation } from "../serve/generation.ts";
import { createPagerCaches } from "./caches.ts";
import { createPager } from "./pager.ts";

const generation = new ChangeLog().add("1", undefined);

type Asked = {
  filters?: Filter[];
  offset?: number;
  limit?: number;
  order?: Order;
  generation?: Generation | undefined;
};

/** Finds pages by ascending score, with the searches that each took. */
function finder(rowsAt: (search: number) => readonly Row[]) {
  const { search, asked } = engineOfRows(rowsAt);
  const page = createPager({ search, ...createPagerCaches() });
  return async ({ filters = [], offset = 0, limit = 3, order = ASCENDING, ...rest }: Asked) => {
    const begun = asked.length;
    const { ids, count, next } = await page<Row>("companies", {
      filters,
      order,
      idField: "company_id",
      page: { limit, offset },
      source: [],
      generation,
      ...rest,
    });
    return { ids, count, next: next?.id, searches: asked.slice(begun) };
  };
}

const firstPage = (rows: readonly Row[], asked: Asked = {}) => finder(() => rows)(asked);

/** A list of 60,000 rows, most of them with low scores. The German ones have high scores. */
const LONG = rowsOf(["US", 5, 40_000], ["US", 20, 10_000], ["DE", 60, 8000], ["DE", 70, 2000]);

test("a page against the order of the index takes a count, the buckets of the whole list, and a search up to its end", async () => {
  expect(await firstPage(LONG, { offset: 2 })).toEqual({
    ids: ["US-5-000002", "US-5-000003", "US-5-000004"],
    count: 60_000,
    next: "US-5-000004",
    searches: ["count", "histogram", "rows"],
  });
});

test("where the guess is wrong, the page is searched among all rows of its value, which are not divided", async () => {
  expect(await firstPage(LONG, { filters: GERMAN, offset: 100 })).toEqual({
    ids: ["DE-60-000100", "DE-60-000101", "DE-60-000102"],
    count: 10_000,
    next: "DE-60-000102",
    searches: ["count", "histogram", "rows", "histogram", "rows"],
  });
});

test("a list that is short beside its page is scanned, and so is one whose bounds leave few rows", async () => {
  const rows = rowsOf(["US", 5, 1500], ["US", 7, 500]);
  expect(await firstPage(rows, { offset: 300 })).toMatchObject({
    ids: ["US-5-000300", "US-5-000301", "US-5-000302"],
    count: 2000,
    searches: ["count", "histogram", "rows"],
  });
  const filters = atLeast<CompanyDocument>("signal_score", 6);
  expect(await firstPage(rows, { filters, offset: 498 })).toMatchObject({
    ids: ["US-7-000498", "US-7-000499"],
    count: 500,
    next: undefined,
    searches: ["count", "rows"],
  });
});

test("a list of 10,000 rows is counted with its page, and a longer one by a search of its own", async () => {
  const most = rowsOf(["US", 5, 10_000]);
  expect(await firstPage(most, { order: WITH_IT })).toMatchObject({
    count: 10_000,
    next: "US-5-000002",
    searches: ["rows and count up to 10000"],
  });
  expect(await firstPage([...most, ...rowsOf(["US", 4, 1])], { order: WITH_IT })).toMatchObject({
    ids: ["US-4-000000", "US-5-000000", "US-5-000001"],
    count: 10_001,
    searches: ["rows and count up to 10000", "count"],
  });
});

test("a long list that is cut between its page and its count is searched again, with both in one", async () => {
  const long = rowsOf(["US", 5, 20_000]);
  const cut = long.slice(0, 502);
  expect(await finder((search) => (search === 0 ? long : cut))({ order: WITH_IT, offset: 500 })).toEqual({
    ids: ["US-5-000500", "US-5-000501"],
    count: 502,
    next: undefined,
    searches: ["rows and count up to 10000", "count", "rows and count up to true"],
  });
});

test("while Redis is away, a page against the order of the index is found in buckets at once, because nothing is kept", async () => {
  const { ids, count, searches } = await firstPage(LONG, { generation: undefined });
  expect({ ids, count }).toEqual({ ids: ["US-5-000000", "US-5-000001", "US-5-000002"], count: 60_000 });
  expect(searches).toEqual(["histogram", "rows"]);
});

test("a page far down a list that does not fit the counted buckets is found in new ones, once", async () => {
  const rows = rowsOf(["US", 5, 900], ["US", 7, 100]);
  const grown = [...rows, ...rowsOf(["DE", 7, 2])];
  const end = { offset: 990, limit: 20 };
  const searches = ["histogram", "rows", "histogram", "rows"];
  const found = await finder((search) => (search === 0 ? rows : grown))(end);
  expect(found).toMatchObject({ count: 1002, next: undefined, searches });
  expect([found.ids[0], found.ids.at(-1), found.ids.length]).toEqual(["US-7-000088", "US-7-000099", 12]);
  const cut = rows.slice(0, -1);
  expect(await finder((search) => (search === 0 ? rows : cut))(end)).toMatchObject({ count: 999, searches });
  // While rows keep going, it would never fit.
  expect(await finder((search) => rows.slice(0, rows.length - search))(end)).toMatchObject({ count: 998, searches });
});

test("buckets for guesses are kept for a minute while the list changes, also where a page far down has counted them before", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const log = new ChangeLog();
  let changes = 0;
  const changed = () => log.add(String(++changes), undefined);
  const rows = rowsOf(...Array.from({ length: 50 }, (_, score): [string, number, number] => ["US", score, 100]));
  const find = finder(() => rows);
  const searchesOf = async (asked: Asked) => (await find({ ...asked, generation: changed() })).searches;
  changed();
  expect(await searchesOf({ offset: 4000 })).toEqual(["histogram", "rows"]);
  vi.advanceTimersByTime(59_000);
  expect(await searchesOf({})).toEqual(["count", "rows"]);
  vi.advanceTimersByTime(2000);
  expect(await searchesOf({})).toEqual(["count", "histogram", "rows"]);
  expect(await searchesOf({})).toEqual(["count", "rows"]);
  // Buckets that are kept for guesses answer no request.
  expect(await searchesOf({ offset: 4000 })).toEqual(["histogram", "rows"]);
});
