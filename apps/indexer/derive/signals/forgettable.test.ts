import { bestInstances } from "@tranche/shared/domain/signals/score";
import { dayOf, isoDay, type Day } from "@tranche/shared/domain/time/day";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { deriveInstances } from "./derive.ts";
import { forgettable } from "./forgettable.ts";
import type { Snapshot } from "@tranche/shared/domain/records/snapshots";

const today = dayOf("2025-06-01");

const seen = (daysAgo: number, technologies: string[] | null, headcount: number | null): Snapshot => ({
  observed_at: isoDay(today - daysAgo),
  technologies,
  headcount,
});

const daysAgo = (snapshots: readonly Snapshot[]): number[] =>
  snapshots.map((snapshot) => today - dayOf(snapshot.observed_at));

function live(snapshots: readonly Snapshot[], day: Day): string {
  const history = { rounds: [], snapshots, ingested: [], stack: null };
  return JSON.stringify(bestInstances(deriveInstances(history, day), day));
}

test("snapshots of the last 13 months are kept, and of the older ones the newest", () => {
  const snapshots = [900, 500, 398, 397, 200, 0, -5].map((days) => seen(days, ["Go"], null));
  expect(daysAgo(forgettable(snapshots, today))).toEqual([900, 500]);
});

test("the only snapshot of a company is kept, however old it is", () => {
  expect(forgettable([seen(4000, ["Go"], 10)], today)).toEqual([]);
});

test("the newest older one is kept for stack and headcount each", () => {
  const snapshots = [seen(900, ["Go"], null), seen(700, ["Go"], null), seen(500, null, 10), seen(450, null, 20)];
  expect(daysAgo(forgettable(snapshots, today))).toEqual([900]);
});

test("a headcount is kept while it shows that a growth began long ago", () => {
  // Grown by the 300th day before today, compared with the 500th: without that one, growth would seem to begin at day 100.
  const snapshots = [seen(500, null, 50), seen(420, null, 95), seen(300, null, 100), seen(100, null, 150)];
  expect(live(snapshots, today)).toBe("[]");
  expect(live(snapshots.slice(1), today)).toContain("headcount_growth");
  expect(forgettable(snapshots, today)).toEqual([]);
});

test("deleting forgettable snapshots changes no document, today or later", () => {
  const snapshot = fc.record({
    observed_at: fc.integer({ min: -20, max: 800 }).map((days) => isoDay(today - days)),
    technologies: fc.option(fc.subarray(["TypeScript", "React", "PyTorch"])),
    headcount: fc.option(fc.integer({ min: 0, max: 40 })),
  });
  const histories = fc.uniqueArray(snapshot, { maxLength: 8, selector: (each) => each.observed_at });
  fc.assert(
    fc.property(histories, (snapshots) => {
      const forgotten = new Set(forgettable(snapshots, today));
      const kept = snapshots.filter((each) => !forgotten.has(each));
      for (let day = today; day < today + 420; day += 7) expect(live(kept, day)).toBe(live(snapshots, day));
    }),
    { numRuns: 500 },
  );
});
