import type { estypes } from "@elastic/elasticsearch";
import { expect, test } from "vitest";
import { FUNDING_DIMENSIONS } from "@tranche/read-models/parameters/dimensions";
import { unavailable } from "../errors/api-error.ts";
import { SIGNALS_FIGURES } from "./signals.ts";
import { type SummaryRequest, summarise } from "./summary.ts";

const REQUEST: SummaryRequest = { filters: [], by: [FUNDING_DIMENSIONS.company], sort: "count_desc", limit: 3 };

/** Answers as Elasticsearch does for this number of groups: the n-th has n rows. Counts the searches, and the concurrent ones. */
function rowsInGroups(count: number) {
  const asked = { searches: 0, atOneMoment: 0 };
  const figures = { amounts: { count: 0, sum: 0 }, scores: { value: 0 } };
  const search = async ({ aggs }: estypes.SearchRequest) => {
    asked.searches++;
    const { size = 0, after } = aggs!["groups"]!.composite!;
    const start = Number(after?.["0"] ?? 0);
    const buckets = Array.from({ length: Math.min(size, count - start) }, (_, n) => ({
      key: { 0: String(start + n + 1) },
      doc_count: start + n + 1,
      ...figures,
    }));
    const groups = { buckets, after_key: { 0: String(start + buckets.length) } };
    return { count: 1, aggregations: { ...figures, groups } as never };
  };
  const atOneMoment = <T>(use: (of: typeof search) => Promise<T>) => {
    asked.atOneMoment++;
    return use(search);
  };
  return { asked, rows: { search, atOneMoment } };
}

test("few groups are found by one search", async () => {
  const { asked, rows } = rowsInGroups(999);
  const { groups, rest, size } = await summarise(rows, REQUEST, SIGNALS_FIGURES);
  expect(groups.map(({ key, count }) => [key[0], count])).toEqual([
    ["999", 999],
    ["998", 998],
    ["997", 997],
  ]);
  expect([rest.groups, size]).toEqual([996, 999]);
  expect(asked).toEqual({ searches: 1, atOneMoment: 0 });
});

test("many groups are found page by page at one moment, and those that are shown have all figures", async () => {
  const { asked, rows } = rowsInGroups(25_500);
  const { groups, size } = await summarise(rows, REQUEST, SIGNALS_FIGURES);
  expect(groups.map(({ key, details }) => [key[0], details])).toEqual([
    ["25500", { scores: 0 }],
    ["25499", { scores: 0 }],
    ["25498", { scores: 0 }],
  ]);
  expect([size, asked.atOneMoment]).toEqual([25_500, 1]);
});

test("100,000 groups are summarised, more are refused with advice", async () => {
  const { size } = await summarise(rowsInGroups(100_000).rows, REQUEST, SIGNALS_FIGURES);
  expect(size).toBe(100_000);
  const { asked, rows } = rowsInGroups(1_000_000);
  await expect(summarise(rows, REQUEST, SIGNALS_FIGURES)).rejects.toMatchObject({
    code: "invalid_parameter",
    details: [{ parameter: "group_by", code: "too_many_groups", message: expect.stringContaining("Narrow") as string }],
  });
  // It stops at the first page beyond.
  expect(asked.searches).toBeLessThan(15);
});

test("groups that take too long to count are refused with advice before the connection ends", async () => {
  const { asked, rows } = rowsInGroups(100_000);
  let ms = 0;
  const slowly = () => (ms += 4000);
  await expect(summarise(rows, REQUEST, SIGNALS_FIGURES, slowly)).rejects.toMatchObject({
    details: [{ code: "too_many_groups", message: expect.stringContaining("longer than 20 seconds") as string }],
  });
  expect(asked.searches).toBe(4);
});

test("a search that takes all the time that is left is refused with advice, and an engine that is away is not", async () => {
  const { rows } = rowsInGroups(1);
  let ms = 0;
  const given: number[] = [];
  const failsAfter = (taken: number) => ({
    ...rows,
    search: async (_: estypes.SearchRequest, withinMs: number) => {
      given.push(withinMs);
      ms += taken;
      throw unavailable(new Error("timed out"));
    },
  });
  const summary = (taken: number) => summarise(failsAfter(taken), REQUEST, SIGNALS_FIGURES, () => ms);
  await expect(summary(20_000)).rejects.toMatchObject({
    details: [{ code: "too_many_groups", message: expect.stringContaining("longer than 20 seconds") as string }],
    cause: { code: "unavailable" },
  });
  await expect(summary(1000)).rejects.toMatchObject({ code: "unavailable" });
  expect(given).toEqual([20_000, 20_000]);
});
