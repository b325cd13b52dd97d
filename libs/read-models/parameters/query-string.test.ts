import { describe, expect, test } from "vitest";
import { parseQueryString, RAW_PLUS, readPathPart, REPEATED } from "./query-string.ts";

const values = (raw: string) => Object.fromEntries(parseQueryString(raw).values);
const problems = (raw: string) => parseQueryString(raw).problems.map(({ parameter, code }) => [parameter, code]);

describe("a query string", () => {
  test("is taken apart at & and at the first =", () => {
    expect(values("a=1&b=x=y&c==")).toEqual({ a: "1", b: "x=y", c: "=" });
  });

  test("may be empty and may have empty parts", () => {
    expect(parseQueryString("")).toEqual({ values: new Map(), problems: [] });
    expect(values("&&a=1&&&b=2&")).toEqual({ a: "1", b: "2" });
  });

  test("is decoded as UTF-8, in names too", () => {
    expect(values("city=Z%C3%BCrich&c%69ty2=%F0%9F%9A%80")).toEqual({ city: "Zürich", city2: "🚀" });
  });

  test("keeps a raw plus apart from an escaped one and from a blank", () => {
    expect(values("a=C%2B+x%20y")).toEqual({ a: `C+${RAW_PLUS}x y` });
  });

  test("joins the values of a parameter that may be repeated", () => {
    const repeatable = (name: string) => name === "a";
    expect(parseQueryString("a=1&b=x&%61=2,3&a=4", repeatable)).toEqual({
      values: new Map([
        ["a", `1${REPEATED}2,3${REPEATED}4`],
        ["b", "x"],
      ]),
      problems: [],
    });
    for (const raw of ["a=1&a=", "a=&a=1", "a=%zz&a=1", "a=1&a=%01&a=2"]) {
      const { values: read, problems: found } = parseQueryString(raw, repeatable);
      expect([read.size, found.map(({ code }) => code)]).toEqual([0, ["malformed_value"]]);
    }
  });

  test("keeps a byte order mark, which is a character like others", () => {
    expect(values("a=%EF%BB%BFx")).toEqual({ a: "\uFEFFx" });
  });
});

describe("a problem", () => {
  test.each([
    ["a=1&a=2", "a", "repeated_parameter"],
    ["a=1&%61=2", "a", "repeated_parameter"],
    ["a=&a=2", "a", "repeated_parameter"],
    ["=x", "", "unknown_parameter"],
    ["=", "", "unknown_parameter"],
    ["a=", "a", "malformed_value"],
    ["a", "a", "malformed_value"],
    ["a=%zz", "a", "malformed_value"],
    ["a=%4", "a", "malformed_value"],
    ["a=100%", "a", "malformed_value"],
    ["a=%FF", "a", "malformed_value"],
    ["a=%C3", "a", "malformed_value"],
    ["a=%C3+%BC", "a", "malformed_value"],
    ["a=%ED%A0%80", "a", "malformed_value"],
    ["a=x%00", "a", "malformed_value"],
    ["a=x%0A", "a", "malformed_value"],
    ["a=x%7F", "a", "malformed_value"],
    ["a=x%C2%85", "a", "malformed_value"],
    ["%zz=1", "%zz", "malformed_value"],
  ])("of %s is reported for '%s' as %s", (raw, parameter, code) => {
    expect(problems(raw)).toEqual([[parameter, code]]);
    expect(values(raw)).toEqual({});
  });

  test("does not hide others", () => {
    expect(problems("a=1&a=2&b=&c=%zz&=x&d=1").map(([parameter]) => parameter)).toEqual(["a", "b", "c", ""]);
    expect(values("a=1&a=2&b=&d=1")).toEqual({ d: "1" });
  });

  test("does not come of names that every object has", () => {
    expect(values("__proto__=1&constructor=2")).toEqual(
      Object.fromEntries([
        ["__proto__", "1"],
        ["constructor", "2"],
      ]),
    );
  });

  test("shows at most 100 characters of a value", () => {
    expect(parseQueryString(`a=${"x".repeat(500)}%00`).problems[0]!.value).toHaveLength(100);
  });
});

describe("a part of a path", () => {
  test.each([
    ["a%2Fb", "a/b"],
    ["c++", "c++"],
    ["Z%C3%BCrich%20x", "Zürich x"],
  ])("%s is read as %s", (raw, text) => {
    expect(readPathPart("id", raw)).toEqual({ text, problems: [] });
  });

  test.each([
    ["%", "has a '%' without two hexadecimal digits after it"],
    ["%ff", "is not valid UTF-8"],
    ["%ED%A0%80", "is not valid UTF-8"],
    ["a%00", "has a control character"],
    ["a%0D%0Ab", "has a control character"],
  ])("like %s is malformed", (raw, reason) => {
    expect(readPathPart("id", raw).problems).toEqual([
      { parameter: "id", code: "malformed_value", message: `The id in the path ${reason}.`, value: raw },
    ]);
  });
});
