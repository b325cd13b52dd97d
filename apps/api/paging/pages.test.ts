import type { estypes } from "@elastic/elasticsearch";
import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import { anyOf, atLeast, type Filter } from "@tranche/read-models/query/filters";
import { allRows, type ListSearch } from "@tranche/read-models/query/list-query";
import type { Order } from "@tranche/read-models/query/order";
import type { RowPosition } from "@tranche/read-models/query/row-position";
import { byCodePoint } from "@tranche/shared/domain/text/order";
import type { Step } from "@tranche/shared/protocol/generations/changes";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { ChangeLog } from "../cache/change-log.ts";
import type { Search } from "../search/search.ts";
import type { Generation } from "../serve/generation.ts";
import { createSingleFlight } from "../cache/single-flight.ts";
import { createValidatedCache } from "../cache/validated-cache.ts";
import { createPagerCaches } from "./caches.ts";
import { type PageResult, rowsOf as sizeOf } from "./page.ts";
import { createPager } from "./pager.ts";

type Row = { company_id: string; signal_score: number; country: string };
const ASCENDING: Order = { field: "signal_score", direction: "asc", by: "points", against: true };
const generation = new ChangeLog().add("1", undefined);
const GERMAN = anyOf<CompanyDocument>("country", ["DE"]);

/** So many rows of each country and score. */
const rowsOf = (...parts: [country: string, score: number, count: number][]): Row[] =>
  parts.flatMap(([country, signal_score, count]) =>
    Array.from({ length: count }, (_, n) => {
      const company_id = `${country}-${signal_score}-${String(n).padStart(6, "0")}`;
      return { company_id, signal_score, country };
    }),
  );

function meets(row: Row, { bool, function_score, range, terms }: estypes.QueryDslQueryContainer = {}): boolean {
  if (function_score) return meets(row, (function_score as estypes.QueryDslFunctionScoreQuery).query);
  if (bool?.should) return [bool.should].flat().some((each) => meets(row, each));
  if (bool) return [bool.filter ?? []].flat().every((each) => meets(row, each));
  const [[field, wanted]] = Object.entries(range ?? terms ?? {}) as [[keyof Row, unknown]];
  const value = row[field];
  if (terms) return (wanted as unknown[]).includes(value);
  const bounds = wanted as Partial<Record<"gte" | "lte" | "gt" | "lt", typeof value>>;
  const { gte = value, lte = value, gt, lt } = bounds;
  return value >= gte && value <= lte && (gt === undefined || value > gt) && (lt === undefined || value < lt);
}

type Place = Pick<Row, "company_id" | "signal_score">;
const compare = (a: Place, b: Place): number =>
  a.signal_score - b.signal_score || byCodePoint(a.company_id, b.company_id);
const inOrder = (rows: readonly Row[]): Row[] => rows.toSorted(compare);

/** Searches rows in this order as Elasticsearch does, and notes what for. `rowsAt`: the rows that the search of this number sees. */
function engine(rowsAt: (search: number) => readonly Row[]) {
  const asked: string[] = [];
  const search = (async (_index: string, request: estypes.SearchRequest) => {
    const { query, from, size, aggs, search_after, track_total_hits } = request;
    const rows = inOrder(rowsAt(asked.length).filter((row) => meets(row, query)));
    const kind = aggs ? Object.keys(aggs["buckets"]!)[0]! : size === 0 ? "count" : "rows";
    asked.push(kind === "rows" && track_total_hits !== false ? `rows and count up to ${track_total_hits}` : kind);
    const most = track_total_hits === true ? Infinity : Number(track_total_hits);
    const [signal_score, company_id] = (search_after ?? [-1, ""]) as [number, string];
    const after = rows.filter((row) => compare(row, { signal_score, company_id }) > 0);
    const found = after.slice(from ?? 0, (from ?? 0) + size!);
    const scores = Map.groupBy(rows, (row) => row.signal_score);
    const { filters } = aggs?.["buckets"]?.filters ?? {};
    const buckets = filters
      ? (filters as object[]).map((each) => ({ doc_count: rows.filter((row) => meets(row, each)).length }))
      : [...scores].map(([key, { length }]) => ({ key, doc_count: length }));
    return {
      count: Math.min(rows.length, most),
      more: rows.length > most,
      documents: found,
      ids: found.map((row) => row.company_id),
      sorted: found.map((row) => [row.signal_score, row.company_id]),
      aggregations: { buckets: { buckets } },
    };
  }) as unknown as Search;
  return { search, asked };
}

type Asked = {
  filters?: Filter[];
  offset?: number;
  limit?: number;
  order?: Order;
  generation?: Generation | undefined;
};

/** Finds pages by ascending score, with the searches that each took. */
function finder(rowsAt: (search: number) => readonly Row[]) {
  const { search, asked } = engine(rowsAt);
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

/** The same order, as if the index were sorted by it. */
const WITH_IT: Order = { field: "signal_score", direction: "asc", by: "points" };

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

/** A write of a row, or its end without a score, that searches see at once, and that is announced later. */
type Write = { n: number; score: number | undefined; country: string };
/** `between`: what is written before each search but the first. `follows`: it is the page after the one before, if there is one. */
type Read = { offset: number; limit: number; filters: Filter[]; order: Order; between: Write[]; follows: boolean };

const COUNTRY_OF_SCORE = ["FR", "US", "US", "US", "US", "US", "DE", "DE", "DE", "FR"];
const writes = fc.record({
  n: fc.nat({ max: 99 }),
  score: fc.option(fc.nat({ max: 9 }), { nil: undefined }),
  country: fc.constantFrom("US", "DE", "FR"),
});
const reads = fc.record({
  offset: fc.constantFrom(0, 1, 6, 9, 15, 22, 78),
  limit: fc.integer({ min: 1, max: 3 }),
  filters: fc.constantFrom(
    [],
    GERMAN,
    anyOf<CompanyDocument>("country", ["FR"]),
    atLeast<CompanyDocument>("signal_score", 4),
  ),
  order: fc.constantFrom(ASCENDING, WITH_IT),
  between: fc.array(writes, { maxLength: 2 }),
  follows: fc.boolean(),
});
const steps = fc.oneof(writes, fc.constant("announce" as const), reads, reads);

/**
 * Does the steps, and returns each page that was asked for while everything was announced, with the one that it should be; of others, how
 * many rows they have, with how many their counts say.
 */
async function readWhileWriting(done: readonly (Write | Read | "announce")[]) {
  const log = new ChangeLog();
  log.add("first", undefined);
  const there = new Map<string, Row>();
  let begun = 0;
  const open: Step[] = [];
  const write = ({ n, score, country }: Write) => {
    const company_id = `co-${n}`;
    const was = there.get(company_id);
    const is = score === undefined ? undefined : { company_id, signal_score: score, country };
    if (is) there.set(company_id, is);
    else there.delete(company_id);
    if (was || is)
      open.push({ redrawn: [], moved: [{ id: company_id, ...(was && { was }), ...(is && { is }) }], begun: ++begun });
  };
  const announce = () => open.splice(0).forEach((step) => log.add(String(step.begun), step));
  // Guesses are wrong for first pages of German rows, and for pages between the two scores of French ones.
  for (let n = 0; n < 80; n++) write({ n, score: n % 10, country: COUNTRY_OF_SCORE[n % 10]! });
  announce();

  let between: Write[] = [];
  let isFirst = true;
  const { search } = engine(() => {
    if (!isFirst) between.splice(0, 1).forEach(write);
    isFirst = false;
    return [...there.values()];
  });
  const most = { maxScannedOffset: 8, maxCountedWithRows: 10, maxScannedRows: 8, maxScannedGroup: 3 };
  const page = createPager({ search, ...createPagerCaches(), ...most });
  const pages = createSingleFlight<PageResult<Row>>(createValidatedCache({ maxBytes: 1_000_000 }));
  const read = async ({ between: later }: Read, list: Pick<ListSearch, "filters" | "order" | "page">) => {
    [between, isFirst] = [[...later], true];
    log.noteBegun(begun, performance.now());
    const request = { ...list, idField: "company_id", source: [], generation: log.last };
    return pages(log.last, JSON.stringify(list), async (left) => {
      const value = await page<Row>("companies", { ...request, left });
      return { value, dependencies: { filters: list.filters, ids: value.ids, order: list.order.field } };
    });
  };
  /** The page as it should be. */
  const wantedOf = ({ filters, page: { offset, limit, after } }: Pick<ListSearch, "filters" | "page">) => {
    const { bool } = allRows(filters);
    const all = inOrder([...there.values()].filter((row) => meets(row, { bool })));
    const place = after && { signal_score: Number(after.value), company_id: after.id };
    const rest = place ? all.filter((row) => compare(row, place) > 0) : all.slice(offset);
    const ids = rest.slice(0, limit).map((row) => row.company_id);
    return { ids, count: all.length, next: rest.length > limit ? ids.at(-1) : undefined };
  };

  const compared: { found: unknown; wanted: unknown }[] = [];
  let last: { next: RowPosition | undefined; filters: readonly Filter[]; order: Order } | undefined;
  for (const step of done) {
    if (step === "announce") announce();
    else if ("n" in step) write(step);
    else {
      const { filters, order, offset, limit } = step;
      const list =
        step.follows && last?.next
          ? { filters: last.filters, order: last.order, page: { limit, offset: 0, after: last.next } }
          : { filters, order, page: { limit, offset } };
      const { ids, count, next } = await read(step, list);
      last = { ...list, next };
      // With one write during a page, the second try finds what fits.
      if (!step.follows && step.between.length < 2)
        compared.push({ found: ids.length, wanted: sizeOf(list.page, count) });
      if (open.length === 0) compared.push({ found: { ids, count, next: next?.id }, wanted: wantedOf(list) });
    }
  }
  return compared;
}

test("a page is exact once all writes are announced, and fits its count before, whatever is written between searches", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 40 }), async (done) => {
      for (const { found, wanted } of await readWhileWriting(done)) expect(found).toEqual(wanted);
    }),
    { numRuns: 300, seed: 20131031 },
  );
});
