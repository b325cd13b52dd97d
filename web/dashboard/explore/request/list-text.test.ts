import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitItems } from "../../../../libs/read-models/parameters/kinds/split-list.ts";
import { parseQueryString } from "../../../../libs/read-models/parameters/query-string.ts";
import { type ListItem, readList, writeList } from "./list-text.ts";
import { writeParams } from "./params.ts";

/** The items that the API reads from a query string with this list. */
function readByApi(items: readonly ListItem[]): unknown {
  const query = writeParams([["investors", writeList(items)]]);
  const { values, problems } = parseQueryString(query);
  expect(problems).toEqual([]);
  const read = splitItems(values.get("investors")!);
  return "items" in read ? read.items : read;
}

const awkward: ListItem[] = [
  "Kleiner, Perkins",
  "!Kung",
  "-5 Ventures",
  '"Quoted"',
  'a "b" c',
  '"',
  '""',
  ",",
  "!!",
  "C++",
  "AT&T",
  "50% + 1",
  "a=b#c?d",
  "Šiauliai",
  "😀",
  "\\",
  "US",
].flatMap((text) => [
  { text, excluded: false },
  { text, excluded: true },
]);

describe("a list", () => {
  test.each(awkward)("with $text (excluded: $excluded) is read by the API as it is meant", (item) => {
    expect(readByApi([item])).toEqual([item]);
    expect(readList(writeList([item]))).toEqual([item]);
  });

  test("of any items is read by the API, and here, as it is meant", () => {
    const text = fc
      .oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: fc.constantFrom(...'!-", ab+%&=#\\'.split("")) }))
      .map((raw) => raw.trim())
      .filter((raw) => raw !== "" && raw.isWellFormed() && !/\p{Cc}/u.test(raw));
    const item = fc.record({ text, excluded: fc.boolean() });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 5 }), (items) => {
        expect(readByApi(items)).toEqual(items);
        expect(readList(writeList(items))).toEqual(items);
      }),
      { numRuns: 500 },
    );
  });

  test("that is malformed is shown all the same", () => {
    expect(readList('"US,DE')).toEqual([
      { text: '"US', excluded: false },
      { text: "DE", excluded: false },
    ]);
    expect(readList("a,,b,")).toEqual([
      { text: "a", excluded: false },
      { text: "b", excluded: false },
    ]);
    expect(readList("")).toEqual([]);
    expect(readList("!")).toEqual([]);
  });
});
