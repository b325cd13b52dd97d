import { expect, test } from "vitest";
import { CATALOGUE, INGESTED_KEYS, isSignalKey, SIGNAL_KEYS, signalDefinition, type SignalKey } from "./catalogue.ts";

const numbers = (key: SignalKey): unknown[] => {
  const { weight, halfLifeDays, lifeDays, polarity, source } = signalDefinition(key);
  return [weight, halfLifeDays, lifeDays, polarity, source];
};

test("keys are sorted, and each has a row", () => {
  expect(SIGNAL_KEYS).toEqual([...SIGNAL_KEYS].sort());
  expect(SIGNAL_KEYS).toHaveLength(31);
  for (const key of SIGNAL_KEYS) expect(signalDefinition(key).key).toBe(key);
});

test("weights, half-lives and lives", () => {
  expect(numbers("just_raised")).toEqual([60, 30, 90, "positive", "derived"]);
  expect(numbers("runway_window")).toEqual([30, null, null, "positive", "derived"]);
  expect(numbers("headcount_decline")).toEqual([40, 90, 180, "negative", "derived"]);
  expect(numbers("ipo")).toEqual([0, null, 365, "positive", "ingested"]);
  expect(numbers("layoffs")).toEqual([50, 60, 180, "negative", "ingested"]);
});

test("five signals lower the score", () => {
  expect(CATALOGUE.filter((row) => row.polarity === "negative").map((row) => row.key)).toEqual([
    "headcount_decline",
    "layoffs",
    "legal_issue",
    "office_closure",
    "security_incident",
  ]);
});

test("derived signals cannot be ingested", () => {
  expect(INGESTED_KEYS).toHaveLength(16);
  expect(INGESTED_KEYS).toContain("hiring");
  expect(INGESTED_KEYS).not.toContain("just_raised");
});

test("every definition is a sentence", () => {
  for (const row of CATALOGUE) expect(row.definition).toMatch(/^[A-Z].*\.$/);
});

test("built-in names of objects are not keys", () => {
  expect(isSignalKey("constructor")).toBe(false);
  expect(isSignalKey("just_raised")).toBe(true);
  expect(() => signalDefinition("toString" as SignalKey)).toThrow(/Unknown signal key 'toString'/);
});
