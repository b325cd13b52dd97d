import { expect, test } from "vitest";
import { readAmount, shownNumber } from "./amount-text.ts";

test.each([
  ["5m", "5000000"],
  ["5 M", "5000000"],
  ["$5M", "5000000"],
  ["US$ 5 million", "5000000"],
  ["5,000,000", "5000000"],
  ["5 000 000", "5000000"],
  ["5'000'000", "5000000"],
  ["1.5bn", "1500000000"],
  [".5m", "500000"],
  ["250k", "250000"],
  ["0.29", "0.29"],
  ["1.2345678m", "1234567.8"],
  ["40", "40"],
  ["007", "7"],
  [" 12. ", "12"],
])("%s is the amount %s", (text, amount) => expect(readAmount(text)).toBe(amount));

test.each(["", "x", "12x", "1,5", "1,5m", "1.234.567", "5 5", "-5", "1e6", "5m5", "0.005", "$", "."])(
  "'%s' is no amount",
  (text) => expect(readAmount(text)).toBeUndefined(),
);

test("a number is shown with its thousands apart, and anything else as it is", () => {
  expect(["5000000", "999", "1234.5", "1e6", ""].map(shownNumber)).toEqual(["5,000,000", "999", "1,234.5", "1e6", ""]);
});
