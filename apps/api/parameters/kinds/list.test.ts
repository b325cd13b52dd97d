import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyOf } from "@tranche/shared/text/key";
import { RAW_PLUS } from "../query-string.ts";
import { readKind } from "./kind.ts";
import { quoted, splitItems } from "./list.ts";
import { names } from "./names.ts";

const items = (text: string) => {
  const split = splitItems(text.replaceAll("+", RAW_PLUS));
  return "items" in split ? split.items : split.code;
};

describe("a list", () => {
  test.each([
    ["US", ["US"]],
    ["US,GB", ["US", "GB"]],
    [" US , GB ", ["US", "GB"]],
    ["New+York,+Boston", ["New York", "Boston"]],
    ['"Kleiner, Perkins",sequoia', ["Kleiner, Perkins", "sequoia"]],
    [' "a" , "b" ', ["a", "b"]],
    ['"say ""hi"", friend"', ['say "hi", friend']],
    ['a"b,c""d', ['a"b', 'c""d']],
    ['""""', ['"']],
    ['"a,""b"",c",d', ['a,"b",c', "d"]],
  ])("reads %s", (text, expected) => {
    expect(items(text)).toEqual(expected);
  });

  test.each([
    "US,,GB",
    ",US",
    "US,",
    ",",
    " ",
    "+",
    '""',
    '"open',
    '"a"b',
    '"a" b',
    'x,"',
    "C++",
    "C+,java",
    "java,C++",
    '"C+"',
    '"a"+,b',
    '"""',
  ])("refuses %s", (text) => {
    expect(items(text)).toBe("malformed_value");
  });

  test("says how a plus at the end of an item has to be written", () => {
    expect(splitItems(`C${RAW_PLUS}${RAW_PLUS}`)).toMatchObject({
      message: expect.stringContaining("%2B") as string,
      value: "C++",
    });
  });

  test("gives back whatever was quoted", () => {
    const item = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
      .filter((text) => text.trim() !== "" && !/\p{Cc}/u.test(text));
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 8 }), (given) => {
        expect(items(given.map(quoted).join(",").replaceAll("+", "\u{FF0B}"))).toEqual(
          given.map((text) => text.trim().replaceAll("+", "\u{FF0B}")),
        );
      }),
    );
  });
});

describe("items", () => {
  const kind = names();
  const read = (text: string) => {
    const outcome = readKind(kind, text);
    return "value" in outcome ? outcome.value : outcome.complaints.map((complaint) => complaint.code);
  };

  test("of equal key are one, and the first spelling stays", () => {
    expect(read("Sequoia Capital,sequoia-capital,SEQUOIA  CAPITAL,Accel")).toEqual(["Sequoia Capital", "Accel"]);
    expect(keyOf("Sequoia Capital")).toBe("sequoia-capital");
  });

  test("are at most 50", () => {
    expect(read(numbered(50))).toHaveLength(50);
    expect(read(numbered(51))).toEqual(["too_many_items"]);
  });

  test("have at most 100 characters, not UTF-16 units", () => {
    expect(read("𝒳".repeat(100))).toHaveLength(1);
    expect(read("x".repeat(101))).toEqual(["malformed_value"]);
  });

  test("must have a letter or a digit", () => {
    expect(read("!!")).toEqual(["malformed_value"]);
    expect(read("ok,--,&")).toEqual(["malformed_value", "malformed_value"]);
  });
});

const numbered = (length: number) => Array.from({ length }, (_, i) => `i${i}`).join(",");
