import { expect, test } from "vitest";
import { dollars } from "./stats.ts";

test.each([
  [0n, "0"],
  [5n, "0.05"],
  [50n, "0.5"],
  [1234n, "12.34"],
  [100_000n, "1000"],
  // The nearest number has other cents.
  [8_999_999_999_999_901n, "89999999999999.01"],
  // A sum beyond the exact whole numbers of a double.
  [100_000_000_100_000_000n, "1000000001000000"],
])("%s cents are %s dollars", (cents, text) => expect(dollars(cents)).toBe(text));
