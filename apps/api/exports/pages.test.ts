import { byCodePoint } from "@tranche/shared/domain/text/order";
import { expect, test } from "vitest";
import type { PointInTime } from "../search/point-in-time.ts";
import { readPages } from "./pages.ts";

const SEARCH = { filters: [], idField: "id", source: ["id"] };
const TEXT = { head: "", rows: (documents: readonly string[]) => documents.join(" ") };
/** Not in the order in which they were made. */
const IDS = Array.from({ length: 30_500 }, (_, n) => `co-${n % 2 === 0 ? n : -n}`);
const IN_ORDER = IDS.toSorted(byCodePoint);

type Bounds = { gt?: string; lte?: string };

/** Finds what Elasticsearch would, and notes how many ids each page chose from. */
function viewOf(ids: readonly string[], looked: number[]): PointInTime {
  return {
    async page<T>({ query, size, search_after: [after] = [] }: Parameters<PointInTime["page"]>[0]) {
      const clauses = query!.bool!.filter as { range: { id: Bounds } }[];
      const { gt = "", lte = "\u{10FFFF}" } = clauses[0]?.range.id ?? {};
      const inRange = ids.filter((id) => byCodePoint(id, gt) > 0 && byCodePoint(id, lte) <= 0);
      looked.push(inRange.length);
      const found = inRange
        .filter((id) => byCodePoint(id, String(after ?? "")) > 0)
        .toSorted(byCodePoint)
        .slice(0, size);
      return { count: ids.length, documents: found as T[], last: found.length > 0 ? [found.at(-1)!] : undefined };
    },
    // Any of them may be drawn.
    sortValues: async ({ size }) => ids.slice(0, size).map((id, n) => [n, id]),
    aggregate: () => Promise.reject(new Error("not used")),
    close: async () => {},
  };
}

async function readAll(ids: readonly string[], limits: { pageRows: number; rangesFrom: number }) {
  const looked: number[] = [];
  const { pages } = await readPages(viewOf(ids, looked), SEARCH, TEXT, limits, new AbortController().signal);
  const read: string[] = [];
  for await (const chunks of pages) read.push(...chunks.flatMap(({ text }) => text.split(" ")));
  return { read, looked };
}

test.each([1000, 999, 10_000, 30_500])(
  "ranges of ids have every row once, in order, in pages of %i",
  async (pageRows) => {
    const { read, looked } = await readAll(IDS, { pageRows, rangesFrom: 30_500 });
    expect(read).toEqual(IN_ORDER);
    expect(looked[0]).toBe(IDS.length);
    if (pageRows < IDS.length) expect(Math.max(...looked.slice(1))).toBeLessThan(IDS.length);
  },
);

test("few rows are read without ranges", async () => {
  const { read, looked } = await readAll(IDS, { pageRows: 1000, rangesFrom: 30_501 });
  expect(read).toEqual(IN_ORDER);
  expect(new Set(looked)).toEqual(new Set([IDS.length]));
});

test("a sample that is all on one side leaves one large range", async () => {
  const ids = Array.from({ length: 2000 }, (_, n) => String(n).padStart(4, "0"));
  const { read } = await readAll(ids, { pageRows: 100, rangesFrom: 1 });
  expect(read).toEqual(ids);
});
