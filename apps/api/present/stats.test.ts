import { expect, test } from "vitest";
import { dollars } from "./stats.ts";

test.each([
  [0, "0"],
  [5, "0.05"],
  [50, "0.5"],
  [1234, "12.34"],
  [100_000, "1000"],
  // The nearest number has other cents.
  [8_999_999_999_999_901, "89999999999999.01"],
])("%s cents are %s dollars", (cents, text) => expect(dollars(cents)).toBe(text));
