import { expect, test } from "vitest";
import { matching } from "./suggestions.ts";

const ALL = [
  { value: "pre_seed", label: "Pre-seed" },
  { value: "seed", label: "Seed" },
  { value: "series_a_plus", label: "Series A+" },
  { value: "series_a", label: "Series A" },
];

test.each([
  ["seed", ["seed", "pre_seed"]],
  ["SERIES A", ["series_a", "series_a_plus"]],
  ["series_a", ["series_a", "series_a_plus"]],
  ["ser", ["series_a_plus", "series_a"]],
  ["pre seed", ["pre_seed"]],
  ["", ["pre_seed", "seed", "series_a_plus", "series_a"]],
  ["x", []],
])("'%s' finds %j", (text, values) => {
  expect(matching(ALL, text).map(({ value }) => value)).toEqual(values);
});
