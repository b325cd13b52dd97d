import { expect, test } from "vitest";
import type { Field } from "../../../../apps/dashboard/explore/list-fields.ts";
import { readParams } from "../request/params.ts";
import { filtersOfList } from "../words.ts";
import { filtersText, filterText } from "./filter-text.ts";

const field = (name: string, kind: Field["kind"]): Field => ({ name, kind, description: "", example: "" });
const FILTERS = filtersOfList([
  field("country", "list"),
  field("deal_types", "list"),
  field("investors", "list"),
  field("investors_match", "choice"),
  field("from", "date"),
  field("to", "date"),
  field("min_amount_usd", "number"),
  field("max_amount_usd", "number"),
  field("disclosed", "flag"),
  field("min_round_count", "number"),
  field("min_headcount", "number"),
  field("max_headcount", "number"),
  field("min_founded_year", "year"),
  field("max_founded_year", "year"),
  field("detected_since", "date"),
  field("vintage", "text"),
  field("sort", "choice"),
]);
const said = (query: string) =>
  Object.fromEntries(
    FILTERS.flatMap((filter) => {
      const text = filterText(filter, readParams(query));
      return text === undefined ? [] : [[filter.name, text]];
    }),
  );

test.each([
  ["", {}],
  ["sort=amount_desc&nonsense=1", {}],
  ["country=DE,!FR", { Countries: "Germany, not France" }],
  ["deal_types=seed,series_a,series_b,grant", { "Deal types": "Seed, Series A, 2 more" }],
  ["investors=a,b&investors_match=all", { Investors: "a, b, all of them" }],
  ["from=2013-01-01&to=2013-12-31", { Announced: "2013" }],
  ["from=2013-01-01", { Announced: "from 1 Jan 2013" }],
  ["to=2013-09-10", { Announced: "until 10 Sept 2013" }],
  ["from=2013-02-30&to=2013-09-10", { Announced: "2013-02-30 – 10 Sept 2013" }],
  ["min_amount_usd=5000000", { Amount: "$5M or more" }],
  ["max_amount_usd=1500000", { Amount: "up to $1.5M" }],
  ["min_amount_usd=1e6x&max_amount_usd=5000000", { Amount: "1e6x – $5M" }],
  ["disclosed=false", { Amount: "undisclosed" }],
  ["min_round_count=3", { Rounds: "3 or more" }],
  ["min_headcount=50&max_headcount=200", { Headcount: "50 – 200" }],
  ["min_founded_year=2005", { Founded: "from 2005" }],
  ["min_founded_year=2005&max_founded_year=2012", { Founded: "2005 – 2012" }],
  ["min_founded_year=2005&max_founded_year=2005", { Founded: "2005" }],
  ["detected_since=2013-09-10", { Signals: "since 10 Sept 2013" }],
  ["vintage=old", { vintage: "old" }],
])("%s says %j", (query, texts) => {
  expect(said(query)).toEqual(texts);
});

test("filters are said in a line, with those that the list does not have", () => {
  const fields = [field("country", "list"), field("deal_types", "list"), field("sort", "choice")];
  expect(filtersText(fields, "deal_types=seed&country=DE&gone=1&sort=amount_desc")).toBe(
    "Countries: Germany · Deal types: Seed · gone: 1",
  );
  expect(filtersText(fields, "sort=amount_desc")).toBeUndefined();
});
