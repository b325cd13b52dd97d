import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SIGNAL_KEYS, type SignalKey } from "@tranche/shared/domain/signals/catalogue";
import { expiryOf, type SignalInstance } from "@tranche/shared/domain/signals/instance";
import { bestInstances, scoreOf, shareOf } from "@tranche/shared/domain/signals/score";
import { dayOf, isoDay } from "@tranche/shared/domain/time/day";
import { breakdown } from "./score-breakdown.ts";

const today = dayOf("2025-06-01");
function seen(key: SignalKey, daysAgo: number, strength = 1): SignalInstance {
  const expires = expiryOf(key, today - daysAgo);
  return {
    key,
    detected_at: isoDay(today - daysAgo),
    expires_at: expires === null ? null : isoDay(expires),
    strength,
    source: "derived",
    evidence: null,
  };
}

describe("the breakdown", () => {
  test("shows how each signal counts", () => {
    const shown = breakdown([seen("just_raised", 10), seen("modern_stack", 400), seen("layoffs", 15)], today);
    expect(shown.score).toBe(34);
    expect(shown.total).toBeCloseTo(33.67, 2);
    const [first] = shown.rows;
    expect(first).toMatchObject({ key: "just_raised", weight: 60, age_days: 10, half_life_days: 30, strength: 1 });
    expect(first!.decay).toBeCloseTo(0.794, 3);
    expect(shown.rows.map((row) => [row.key, Math.sign(row.points)])).toEqual([
      ["just_raised", 1],
      ["layoffs", -1],
      ["modern_stack", 1],
    ]);
    expect(shown.rows.find((row) => row.key === "modern_stack")).toMatchObject({
      half_life_days: null,
      decay: 1,
      share: 0.2,
    });
  });

  test("has points in tenths that sum to the score", () => {
    const instance = fc.record({
      key: fc.constantFrom(...SIGNAL_KEYS),
      daysAgo: fc.integer({ min: -5, max: 400 }),
      strength: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const property = fc.property(fc.array(instance, { maxLength: 12 }), (list) => {
      const instances = list.map(({ key, daysAgo, strength }) => seen(key, daysAgo, strength));
      const shown = breakdown(instances, today);
      expect(shown.score).toBe(scoreOf(bestInstances(instances, today), today));
      const tenths = shown.rows.map((row) => row.points * 10);
      for (const tenth of tenths) expect(tenth).toBeCloseTo(Math.round(tenth), 6);
      expect(tenths.reduce((a, b) => a + Math.round(b), 0)).toBe(shown.score * 10);
      for (const row of shown.rows)
        expect(row.share).toBe(
          shareOf(
            instances.find(
              (x) => x.key === row.key && x.detected_at === row.detected_at && x.strength === row.strength,
            )!,
            today,
          ),
        );
    });
    fc.assert(property, { seed: 1, numRuns: 500 });
  });
});
