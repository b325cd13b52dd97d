import { expect, test } from "vitest";
import { differenceText } from "./difference-text.ts";

test.each([
  [0, 0, "the same"],
  [7, 7, "the same"],
  [7, 0, "none before"],
  [0, 7, "100% less"],
  [112, 100, "12% more"],
  [200, 100, "100% more"],
  [201, 100, "2.0 times as much"],
  [320, 100, "3.2 times as much"],
  [1_234_500, 1000, "1,235 times as much"],
  [88, 100, "12% less"],
  [10_001, 10_000, "less than 1% more"],
  [1, 10_000, "over 99% less"],
])("%s after %s is %s", (now, before, text) => {
  expect(differenceText(now, before)).toBe(text);
});
