import { expect, test } from "vitest";
import { keyForms, otherSlugs, soughtKeys, spelledKeys } from "./spellings.ts";

test.each([
  ["Plug & Play", ["plug-play", "plug-and-play"]],
  ["Plug and Play", ["plug-and-play", "plug-play"]],
  ["Plug ＆ Play", ["plug-play", "plug-and-play"]],
  ["AT&T", ["at-t", "at-and-t"]],
  ["A & B and C", ["a-b-and-c", "a-and-b-and-c", "a-b-c"]],
  ["Anderson Sandhill", ["anderson-sandhill"]],
  ["Plug Play", ["plug-play"]],
  ["&", ["", "and"]],
  ["!!", [""]],
])("the name %s is found by the keys %j", (name, keys) => expect(spelledKeys(name)).toEqual(keys));

const PAIRS = [
  ["Kite & Sons", "Kite and Sons"],
  ["R&D", "r and d"],
  ["A & B & C", "A and B and C"],
  ["A & B and C", "A and B & C"],
  ["& Co", "And Co"],
] as const;

test.each(PAIRS)("'%s' finds '%s' and the other way round", (one, other) => {
  const finds = (text: string, name: string) => soughtKeys(text).some((key) => spelledKeys(name).includes(key));
  for (const text of [one, other]) for (const name of [one, other]) expect(finds(text, name)).toBe(true);
});

test("a name with neither of both is not found by either", () => {
  expect(soughtKeys("Plug and Play").filter((key) => spelledKeys("Plug Play").includes(key))).toEqual([]);
});

test("a text without a letter or digit is no spelling of a name", () => expect(soughtKeys("&")).toEqual([""]));

test("the slugs of the other spelling have an `and` more or none", () => {
  expect(otherSlugs("kite-and-sons")[0]).toEqual("kite-sons");
  expect(otherSlugs("Kite & Sons")).toEqual(["kite-and-sons"]);
  expect(otherSlugs("a-b-c")).toEqual(["a-and-b-c", "a-b-and-c"]);
  expect(otherSlugs("kite")).toEqual([]);
  expect(otherSlugs(Array(5000).fill("a").join("-"))).toEqual([]);
});

test("a key with final sigmas is the other form of one", () => {
  expect(keyForms("σισ-φωσ-σ")).toEqual(["σισ-φωσ-σ", "σις-φως-σ"]);
  expect(keyForms("acme")).toEqual(["acme"]);
});
