import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import { expect, test } from "vitest";
import { planNamed } from "./plan.ts";
import { expiry, seconds } from "./times.ts";

const NOW = Date.parse("2025-06-15T12:00:00Z");

test("an expiry is a day or a time, in the future", () => {
  expect(expiry("2025-06-16", NOW)).toBe("2025-06-16T00:00:00.000Z");
  expect(expiry("2025-06-15T14:00:00+01:00", NOW)).toBe("2025-06-15T13:00:00.000Z");
  expect(() => expiry("2025-06-15", NOW)).toThrow("is not in the future");
  expect(() => expiry("tomorrow", NOW)).toThrow("is not a valid date");
  expect(() => expiry("2025-02-30", NOW)).toThrow("is not a valid date");
});

test("a plan is named by its id or name in any case; others get a suggestion and the list", () => {
  expect(planNamed("Scale", DEFAULT_PLANS)).toBe("scale");
  expect(() => planNamed("grwth", DEFAULT_PLANS)).toThrow(
    "There is no plan 'grwth'. Did you mean 'growth'? Plans: starter, growth, scale.",
  );
});

test("a length of time is a number and a unit", () => {
  expect(["0s", "90s", "24h", "7d"].map((text) => seconds("--overlap", text))).toEqual([0, 90, 86_400, 604_800]);
  expect(() => seconds("--for", "1 day")).toThrow("--for: '1 day' is not a valid length of time");
});
