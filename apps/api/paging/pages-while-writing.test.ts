import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import { anyOf, atLeast, type Filter } from "@tranche/read-models/query/filters";
import { allRows, type ListSearch } from "@tranche/read-models/query/list-query";
import type { Order } from "@tranche/read-models/query/order";
import type { RowPosition } from "@tranche/read-models/query/row-position";
import type { Step } from "@tranche/shared/protocol/generations/changes";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ASCENDING,
  compare,
  engineOfRows,
  GERMAN,
  inOrder,
  meets,
  type Row,
  WITH_IT,
} from "../../../tests/support/engine-of-rows.ts";
import { ChangeLog } from "../cache/change-log.ts";
import { createSingleFlight } from "../cache/single-flight.ts";
import { createValidatedCache } from "../cache/validated-cache.ts";
import { createPagerCaches } from "./caches.ts";
import { type PageResult, rowsOf } from "./page.ts";
import { createPager } from "./pager.ts";

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
  const { search } = engineOfRows(() => {
    if (!isFirst) between.splice(0, 1).forEach(write);
    isFirst = false;
    return [...there.values()];
  });
  const most = {
    maxScannedOffset: 8,
    maxCountedWithRows: 10,
    maxScannedRows: 8,
    maxScannedEquals: 8,
    maxScannedGroup: 3,
  };
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
        compared.push({ found: ids.length, wanted: rowsOf(list.page, count) });
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
