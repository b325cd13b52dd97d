import { expect, test } from "vitest";
import type { Warning } from "@tranche/read-models/parameters/warning";
import { warningsHeader } from "./warnings.ts";

const warning = (message: string): Warning => ({ code: "unknown_value", message, parameter: "city" });

test("warnings in a header are ASCII JSON that reads as what they are", () => {
  const warnings = [warning("No company is in the city 'Zürich 🚀'.")];
  const header = warningsHeader(warnings);
  expect(header).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(header)).toEqual(warnings);
});

test("warnings that do not fit are counted", () => {
  const header = warningsHeader(Array.from({ length: 50 }, (_, i) => warning(`${i} ${"é".repeat(100)}`)));
  expect(header.length).toBeLessThanOrEqual(4096);
  const shown = JSON.parse(header) as Warning[];
  expect(shown.at(-1)).toMatchObject({
    code: "more_warnings",
    message: `${50 - (shown.length - 1)} more, not shown here.`,
  });
});
