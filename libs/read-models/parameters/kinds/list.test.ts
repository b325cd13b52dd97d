import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { keyOf } from "@tranche/shared/domain/text/key";
import { RAW_PLUS, REPEATED } from "../query-string.ts";
import { readKind } from "./kind.ts";
import { isExcluding, isList, plainList } from "./list.ts";
import { splitItems } from "./split-list.ts";
import { type ListItem, shownItem, writtenItem } from "./list-item.ts";
import { names, namesOrIds } from "./names.ts";
import { sort } from "./sort.ts";
import { countries } from "./vocabularies.ts";

const items = (text: string) => {
  const split = splitItems(text.replaceAll("+", RAW_PLUS));
  if ("code" in split) return split.code;
  return split.items.map(({ text: item, excluded }) => (excluded ? { not: item } : item));
};
const written = (list: readonly ListItem[]) => list.map(writtenItem).join(",");

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
    ["!US", [{ not: "US" }]],
    ["US,!GB", ["US", { not: "GB" }]],
    [" ! US , !GB", [{ not: "US" }, { not: "GB" }]],
    ["+!+New+York", [{ not: "New York" }]],
    ['!"Kleiner, Perkins",a', [{ not: "Kleiner, Perkins" }, "a"]],
    ['"!US","-5"', ["!US", "-5"]],
    ['!"!US",!"-5"', [{ not: "!US" }, { not: "-5" }]],
    ["US!,a!b,a-", ["US!", "a!b", "a-"]],
    ["!!,!-", [{ not: "!" }, { not: "-" }]],
    [`US${REPEATED}GB,!DE${REPEATED}"a,b"`, ["US", "GB", { not: "DE" }, "a,b"]],
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
    "!",
    "! ",
    "+!",
    "US,!",
    "!,US",
    '!""',
    "!!US",
    "!-US",
    "-US",
    " -US",
    "US,-",
    '!"open',
    '!"a"b',
    "!C++",
    `"a${REPEATED}b"`,
    `US${REPEATED},`,
  ])("refuses %s", (text) => {
    expect(items(text)).toBe("malformed_value");
  });

  test("says how a plus at the end of an item has to be written", () => {
    expect(splitItems(`C${RAW_PLUS}${RAW_PLUS}`)).toMatchObject({
      message: expect.stringContaining("%2B") as string,
      value: "C++",
    });
  });

  test("says how an item is excluded", () => {
    expect(splitItems("-US")).toMatchObject({ message: expect.stringContaining("write !US") as string, value: "-US" });
    expect(splitItems("!")).toMatchObject({ message: expect.stringContaining("!US") as string, value: "!" });
    expect(splitItems("!!US")).toMatchObject({ message: expect.stringContaining("in quotes") as string });
  });

  test("without exclusion has items that begin with any sign", () => {
    expect(splitItems("!a,-b", { exclusion: false })).toEqual({
      items: [
        { text: "!a", excluded: false },
        { text: "-b", excluded: false },
      ],
    });
  });

  test("gives back whatever was written", () => {
    const item = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
      .filter((text) => text.trim() !== "" && !/\p{Cc}/u.test(text));
    const start = fc.constantFrom("", "!", "-", '"', "!!", "!-");
    fc.assert(
      fc.property(fc.array(fc.tuple(start, item, fc.boolean()), { minLength: 1, maxLength: 8 }), (given) => {
        const list = given.map(([sign, text, plain]) => {
          const whole = (sign + text).trim().replaceAll("+", "\u{FF0B}");
          return plain ? whole : { not: whole };
        });
        expect(items(written(list))).toEqual(list);
        // Lists as `filters_applied` shows them, when the caller quotes commas.
        const commas = (text: string) =>
          /^!?"/.test(text) || !text.includes(",") ? text : `"${text.replaceAll('"', '""')}"`;
        expect(items(list.map(shownItem).map(commas).join(","))).toEqual(list);
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

  test("that may be ids are one only if they are equal letter for letter", () => {
    expect(readKind(namesOrIds(), "Co 1,co-1,Co 1,!co-2")).toEqual({ value: ["Co 1", "co-1", { not: "co-2" }] });
  });

  test("are not included and excluded at once, in whatever spelling", () => {
    expect(read("Accel,!ACCEL")).toEqual(["malformed_value"]);
    expect(read("!Accel,Index,accel")).toEqual(["malformed_value"]);
    expect(readKind(countries(), "US,!usa")).toMatchObject({ complaints: [{ code: "malformed_value", value: "usa" }] });
    expect(readKind(namesOrIds(), "co-1,!Co 1")).toHaveProperty("complaints");
    expect(read("Accel,!Index")).toEqual(["Accel", { not: "Index" }]);
  });

  test("of a closed vocabulary must be known, excluded or not", () => {
    expect(readKind(countries(), "!uk,DE")).toEqual({ value: [{ not: "GB" }, "DE"] });
    expect(readKind(countries(), "!Atlantis")).toMatchObject({ complaints: [{ code: "unknown_value" }] });
  });

  test("are at most 50, however often the parameter was given", () => {
    expect(read([numbered(30), numbered(20)].join(REPEATED))).toHaveLength(30);
    expect(read([numbered(30), numbered(21)].join(REPEATED))).toEqual(["too_many_items"]);
    expect(read(numbered(50))).toHaveLength(50);
    expect(read(numbered(51))).toEqual(["too_many_items"]);
  });

  test("have at most 500 characters, not UTF-16 units", () => {
    expect(read("𝒳".repeat(500))).toHaveLength(1);
    expect(read("x".repeat(501))).toEqual(["malformed_value"]);
  });

  test("must have a letter or a digit, unless they may be ids", () => {
    expect(read("!!")).toEqual(["malformed_value"]);
    expect(read("ok,?,&")).toEqual(["malformed_value", "malformed_value"]);
    expect(readKind(namesOrIds(), "🚀,..,!!,ok")).toEqual({ value: ["🚀", "..", { not: "!" }, "ok"] });
    expect(readKind(namesOrIds(), '"!",!!')).toHaveProperty("complaints");
  });
});

test("only lists may be repeated, and not every list has exclusion", () => {
  expect([isList(names()), isExcluding(names())]).toEqual([true, true]);
  expect([isList(sort("TestSort", ["a_asc"])), isExcluding(sort("TestSort", ["a_asc"]))]).toEqual([false, false]);
  const plain = plainList({ item: z.string(), read: (text) => ({ key: text, value: text }) });
  expect([isList(plain), isExcluding(plain)]).toEqual([true, false]);
  expect(readKind(plain, `b,!a${REPEATED}b,c`)).toEqual({ value: ["b", "!a", "c"] });
});

const numbered = (length: number) => Array.from({ length }, (_, i) => `i${i}`).join(",");
