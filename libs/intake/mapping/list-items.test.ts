import { expect, test } from "vitest";
import { splitAtCommas } from "./list-items.ts";

test.each([
  ["Red Fund, Blue Fund", ["Red Fund", " Blue Fund"]],
  ["Red, Angels (Ann Lee, Bo Chen, Cy Diaz)", ["Red", " Angels (Ann Lee, Bo Chen, Cy Diaz)"]],
  ["Blue (via Blue Asia (HK), Ltd), Red", ["Blue (via Blue Asia (HK), Ltd)", " Red"]],
  ["Blue [a, b], Red {c, d}, 银杏（北京, 上海）", ["Blue [a, b]", " Red {c, d}", " 银杏（北京, 上海）"]],
  ["Blue (Asia, Red", ["Blue (Asia", " Red"]],
  ["Blue :), Red (a, b)", ["Blue :)", " Red (a, b)"]],
  ["Blue (x, y (a, b), Red", ["Blue (x", " y (a, b)", " Red"]],
  ["Foo Ventures, Inc., Bar Capital, LLC, Baz, S.A.", ["Foo Ventures, Inc.", " Bar Capital, LLC", " Baz, S.A."]],
  ["Foo, Ltd, Pte. Ltd., Incubator, Coop", ["Foo, Ltd, Pte. Ltd.", " Incubator", " Coop"]],
  ["Inc., Red", ["Inc.", " Red"]],
  [",", ["", ""]],
  ["", [""]],
])("'%s' is split at the commas between its items", (text, items) => expect(splitAtCommas(text)).toEqual(items));

test("a long text takes linear time", () => {
  for (const text of ["(", ")", "()", "(,", ",)"]) expect(splitAtCommas(text.repeat(100_000))).toBeDefined();
});
