import { expect, test } from "vitest";
import { followOf, queryOf } from "./follow-view.ts";

test("a saved search is followed by its filters, without its order", () => {
  expect(followOf({ name: "Seed", query: "country=DE&sort=amount_desc&q=a%26sort%3Db" })).toEqual({
    name: "Seed",
    query: "country=DE&q=a%26sort%3Db",
  });
  expect(followOf({ name: "All", query: "" }).query).toBe("");
});

test("companies and an investor are selected by their ids, whatever is in them", () => {
  expect(queryOf({ kind: "investor", id: "inv-1" })).toBe(`investors=${encodeURIComponent('"inv-1"')}`);
  expect(decodeURIComponent(queryOf({ kind: "companies", ids: ["a,b", 'c"d', "!e"] }))).toBe(
    'companies="a,b","c""d","!e"',
  );
});
