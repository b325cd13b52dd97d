import * as fc from "fast-check";
import { expect, test } from "vitest";
import { FUNDING_DIMENSIONS } from "@tranche/read-models/parameters/dimensions";
import { GROUP_SORTS } from "@tranche/read-models/parameters/stats";
import type { Group } from "./group.ts";
import { orderOf } from "./order.ts";
import { Ranking } from "./ranking.ts";

const group = (key: string | null, count: number, cents?: number): Group<undefined> => ({
  key: [key],
  count,
  disclosed: cents === undefined ? 0 : 1,
  cents: BigInt(cents ?? 0),
});
const keys = (groups: readonly Group<unknown>[]) => groups.map(({ key }) => key[0]);

test("groups are ordered by rows, by amount or by key; ties go by key, missing values last", () => {
  const groups = [group(null, 3), group("b", 3, 0), group("z", 1, 9), group("～", 3), group("😀", 3), group("a", 3, 9)];
  const sorted = (sort: (typeof GROUP_SORTS)[number]) =>
    keys(groups.toSorted(orderOf(sort, [FUNDING_DIMENSIONS.city])));
  expect(sorted("count_desc")).toEqual(["a", "b", "～", "😀", null, "z"]);
  expect(sorted("total_amount_desc")).toEqual(["a", "z", "b", "～", "😀", null]);
  expect(sorted("key_asc")).toEqual(["a", "b", "z", "～", "😀", null]);
});

test("bands are in the order of their amounts, undisclosed last", () => {
  const groups = [
    group("over_500m", 1),
    group(null, 1),
    group("100k_1m", 1),
    group("under_100k", 1),
    group("50m_100m", 1),
  ];
  expect(keys(groups.toSorted(orderOf("key_asc", [FUNDING_DIMENSIONS.amount_band])))).toEqual([
    "under_100k",
    "100k_1m",
    "50m_100m",
    "over_500m",
    null,
  ]);
});

test("a ranking has the first groups of all pages, and sums up the rest", () => {
  const groups = fc.uniqueArray(fc.tuple(fc.string(), fc.nat(5), fc.option(fc.nat(9), { nil: undefined })), {
    selector: ([key]) => key,
    maxLength: 40,
  });
  fc.assert(
    fc.property(groups, fc.integer({ min: 1, max: 10 }), fc.constantFrom(...GROUP_SORTS), (made, limit, sort) => {
      const all = made.map(([key, count, cents]) => group(key, count, cents));
      const order = orderOf(sort, [FUNDING_DIMENSIONS.city]);
      const ranking = new Ranking<undefined>(order, limit);
      for (let at = 0; at < all.length; at += 7) ranking.add(all.slice(at, at + 7));
      const sorted = all.toSorted(order);
      const left = sorted.slice(limit);
      const sum = (of: "count" | "disclosed") => left.reduce((total, each) => total + each[of], 0);
      expect(ranking.first).toEqual(sorted.slice(0, limit));
      expect(ranking.rest).toEqual({
        groups: left.length,
        count: sum("count"),
        disclosed: sum("disclosed"),
        cents: left.reduce((total, each) => total + each.cents, 0n),
      });
      expect(ranking.size).toBe(all.length);
    }),
  );
});
