import { expect, test } from "vitest";
import { namePrefixes, prefixesByName, wordsByName } from "./names.ts";

test("a name is written as all beginnings of its words", () => {
  expect(namePrefixes(["Data Dé"])).toBe("d da dat data d de");
  expect(prefixesByName("d da dat data d de")).toEqual([["d", "da", "dat", "data", "d", "de"]]);
});

test.each([
  [
    ["Sequoia Capital", "SCGE", "sequoia capital"],
    [["sequoia", "capital"], ["scge"]],
  ],
  [
    ["D D Da", "a"],
    [["d", "d", "da"], ["a"]],
  ],
  [["🚀", "!!"], []],
  [["𝒜b 北京"], [["ab", "北京"]]],
  [["Donaudampfschifffahrtsgesellschaft"], [["donaudampfschifffahr"]]],
])("the names %j have the words %j", (names, words) => expect(wordsByName(namePrefixes(names))).toEqual(words));
