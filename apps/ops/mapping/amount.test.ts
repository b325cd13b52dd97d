import { expect, test } from "vitest";
import { parseAmount } from "./amount.ts";

test.each([
  ["20,00,00,000", 200_000_000],
  ["14,342,000+", 14_342_000],
  ["$3.5M", 3_500_000],
  ["US$ 1.2 bn", 1_200_000_000],
  ["2 crore", 20_000_000],
  ["1 000 000", 1_000_000],
  ["1'500.25", 1500.25],
  ["1,35,000,", 135_000],
  ["1.15", 1.15],
  ["0.575", 0.58],
  ["0", 0],
  ["14,342,000 +", 14_342_000],
  ["2.5 USD", 2.5],
  [".5", 0.5],
])("%s is %d", (text, amount) => {
  expect(parseAmount(text, ".", 2)).toBe(amount);
});

test("a comma may stand before the cents", () => {
  expect(parseAmount("1.234.567,89", ",", 2)).toBe(1_234_567.89);
});

test("decimals round half up", () => {
  expect(parseAmount("48,89,975.54", ".", 0)).toBe(4_889_976);
});

test.each(["", "lots", "5 parsecs", "1.2.3", "€5", "five million", "+"])("'%s' is none", (text) => {
  expect(parseAmount(text, ".", 2)).toBeUndefined();
});
