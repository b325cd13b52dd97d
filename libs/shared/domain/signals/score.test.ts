import { describe, expect, test } from "vitest";
import { dayOf, isoDay } from "../time/day.ts";
import type { SignalKey } from "./catalogue.ts";
import { expiryOf, isLive, type SignalInstance } from "./instance.ts";
import { bestInstances, roundedScore, scoreOf } from "./score.ts";

const today = dayOf("2025-06-01");

function seen(key: SignalKey, daysAgo: number, more: Partial<SignalInstance> = {}): SignalInstance {
  const expires = expiryOf(key, today - daysAgo);
  return {
    key,
    detected_at: isoDay(today - daysAgo),
    expires_at: expires === null ? null : isoDay(expires),
    strength: 1,
    source: "derived",
    evidence: null,
    ...more,
  };
}
const score = (...instances: SignalInstance[]): number => scoreOf(bestInstances(instances, today), today);
const ages = (key: SignalKey, from: number, to: number): boolean[] =>
  [from, to].map((age) => isLive(seen(key, age), today));

describe("the score", () => {
  test("of a company that raised today is 60", () => expect(score(seen("just_raised", 0))).toBe(60));
  test("is half of it 30 days later", () => expect(score(seen("just_raised", 30))).toBe(30));
  test("is a quarter of it 60 days later", () => expect(score(seen("just_raised", 60))).toBe(15));
  test("is 0 after 90 days", () => expect(score(seen("just_raised", 90))).toBe(0));
  test("adds what does not fade", () => expect(score(seen("just_raised", 10), seen("modern_stack", 400))).toBe(58));
  test("is lowered by what is negative", () => {
    expect(score(seen("just_raised", 10), seen("modern_stack", 400), seen("layoffs", 15))).toBe(34);
  });
  test("of a company without signals is 0", () => expect(score()).toBe(0));
  test("of negative signals alone is 0", () => expect(score(seen("layoffs", 0))).toBe(0));
  test("takes strength into account", () => expect(score(seen("just_raised", 0, { strength: 0.5 }))).toBe(30));
  test("counts each key once, at its best", () => {
    expect(score(seen("hiring", 0), seen("hiring", 1), seen("hiring", 30))).toBe(20);
  });
});

test("halves round up, whatever binary fractions make of them", () => {
  expect([0.5, 57.5, 59.4999999999999, 59.49999, 0.49, 100].map(roundedScore)).toEqual([1, 58, 60, 59, 0, 100]);
  expect(score(seen("product_launch", 0, { strength: 0.05 }))).toBe(2);
});

describe("an instance is live", () => {
  test("while its age is less than its life", () => {
    expect(ages("just_raised", 89, 90)).toEqual([true, false]);
    expect(ages("ipo", 364, 365)).toEqual([true, false]);
  });
  test("not before it is detected", () => expect(isLive(seen("hiring", -1), today)).toBe(false));
  test("until the day it expires, which is no longer", () => {
    expect(isLive(seen("hiring", 400, { expires_at: isoDay(today + 1) }), today)).toBe(true);
    expect(isLive(seen("hiring", 1, { expires_at: isoDay(today) }), today)).toBe(false);
  });
});

describe("the signals of a company", () => {
  test("are ordered by share, then by key", () => {
    const instances = [seen("partnership", 0), seen("just_raised", 0), seen("new_customer", 0), seen("award", 0)];
    const keys = bestInstances(instances, today).map((x) => x.key);
    expect(keys).toEqual(["just_raised", "new_customer", "partnership", "award"]);
  });

  test("have the strongest instance of a key, though it be older", () => {
    const old = seen("layoffs", 10);
    expect(bestInstances([seen("layoffs", 0, { strength: 0.1 }), old], today)).toEqual([old]);
  });

  test("have the newest of equal ones, in whatever order they come", () => {
    const [older, newer] = [seen("ipo", 20), seen("ipo", 10)];
    expect(bestInstances([older, newer], today)).toEqual([newer]);
    expect(bestInstances([newer, older], today)).toEqual([newer]);
    const [a, b] = [
      seen("ipo", 10, { evidence: { signal_id: "a" } }),
      seen("ipo", 10, { evidence: { signal_id: "b" } }),
    ];
    expect(bestInstances([b, a], today)).toEqual(bestInstances([a, b], today));
  });
});
