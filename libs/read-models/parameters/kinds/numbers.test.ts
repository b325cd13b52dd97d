import { describe, expect, test } from "vitest";
import { type Kind, readKind } from "./kind.ts";
import { amount, count, score, wholeNumber } from "./numbers.ts";

const read = (kind: Kind<number>, text: string) => {
  const outcome = readKind(kind, text);
  return "value" in outcome ? outcome.value : outcome.complaints[0]!.code;
};

describe("an amount", () => {
  test.each([
    ["0", 0],
    ["0.5", 0.5],
    ["0.01", 0.01],
    ["2500000", 2_500_000],
    ["12.34", 12.34],
    ["999999999999999", 999_999_999_999_999],
  ])("may be %s", (text, value) => expect(read(amount(), text)).toBe(value));

  test.each([
    "1e6",
    "0x10",
    " 5",
    "5 ",
    "-1",
    "+1",
    "1_000",
    "1,000",
    "01",
    ".5",
    "5.",
    "1.234",
    "NaN",
    "Infinity",
    "9999999999999999",
    "٣",
    "$5",
  ])("may not be %s", (text) => expect(read(amount(), text)).toBe("malformed_value"));

  test("can be written so that it is read again, however large", () => {
    for (const text of ["999999999999999.99", "0.01", "123456789.1", "999999999999999.5"]) {
      const value = read(amount(), text) as number;
      expect(read(amount(), amount().encode(value))).toBe(value);
    }
  });
});

describe("a whole number", () => {
  test("may have leading zeros and 15 digits", () => {
    expect(read(wholeNumber(1), "007")).toBe(7);
    expect(read(wholeNumber(0), "999999999999999")).toBe(999_999_999_999_999);
  });

  test.each(["", "-1", "1.5", "1e3", "ten", " 1", "1000000000000000", "0x1"])("may not be '%s'", (text) =>
    expect(read(wholeNumber(0), text)).toBe("malformed_value"),
  );

  test("is refused below its least", () => {
    expect(read(wholeNumber(1), "0")).toBe("out_of_range");
    expect(read(wholeNumber(0), "0")).toBe(0);
  });
});

describe("a score", () => {
  test.each([
    ["0", 0],
    ["100", 100],
    ["59.5", 59.5],
    ["100.0", 100],
  ])("may be %s", (text, value) => expect(read(score(), text)).toBe(value));

  test.each([
    ["101", "out_of_range"],
    ["100.01", "out_of_range"],
    ["high", "malformed_value"],
    ["-1", "malformed_value"],
    ["1e1", "malformed_value"],
    ["0.0000001", "malformed_value"],
  ])("may not be %s", (text, code) => expect(read(score(), text)).toBe(code));
});

test("a count is at most what a field of 32 bits holds", () => {
  expect(read(count(), "2147483647")).toBe(2_147_483_647);
  expect(read(count(), "2147483648")).toBe("out_of_range");
});
