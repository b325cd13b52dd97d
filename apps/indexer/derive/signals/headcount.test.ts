import { expect, test } from "vitest";
import { isLive } from "@tranche/shared/domain/signals/instance";
import { dayOf, isoDay } from "@tranche/shared/domain/time/day";
import { headcountSignals } from "./headcount.ts";
import type { Snapshot } from "@tranche/shared/domain/records/snapshots";

const today = dayOf("2025-06-01");
const ago = (days: number): string => isoDay(today - days);
const found = (snapshots: Snapshot[]): unknown[] =>
  headcountSignals(snapshots, today)
    .filter((instance) => isLive(instance, today))
    .map((x) => [x.key, x.detected_at, x.evidence]);
const people = (...seen: [daysAgo: number, headcount: number | null][]): unknown[] => {
  const snapshots = seen.map(([days, headcount]) => ({ observed_at: ago(days), technologies: null, headcount }));
  expect(found(snapshots.toReversed())).toEqual(found(snapshots));
  return found(snapshots);
};
const grown = (from: number, to: number, days: number) => [["headcount_growth", ago(0), { from, to, days }]];
const shrunk = (from: number, to: number, days: number) => [["headcount_decline", ago(0), { from, to, days }]];

test("growth is by exactly 20 percent and 5 people or more", () => {
  expect(people([180, 100], [0, 120])).toEqual(grown(100, 120, 180));
  expect(people([180, 100], [0, 119])).toEqual([]);
  expect(people([180, 10], [0, 14])).toEqual([]);
  expect(people([180, 10], [0, 15])).toEqual(grown(10, 15, 180));
  expect(people([180, 25], [0, 30])).toEqual(grown(25, 30, 180));
  expect(people([180, 0], [0, 5])).toEqual(grown(0, 5, 180));
});

test("decline is by exactly 20 percent and 5 people or more", () => {
  expect(people([180, 100], [0, 80])).toEqual(shrunk(100, 80, 180));
  expect(people([180, 100], [0, 81])).toEqual([]);
  expect(people([180, 10], [0, 6])).toEqual([]);
  expect(people([180, 25], [0, 20])).toEqual(shrunk(25, 20, 180));
});

test("the first headcount is not a change", () => {
  expect(people([0, 100])).toEqual([]);
  expect(people([50, null], [0, 100])).toEqual([]);
});

test("a headcount is compared with the last headcount known 180 days before", () => {
  expect(people([400, 10], [200, 100], [179, 10], [0, 100])).toEqual([]);
  expect(people([400, 10], [300, 50], [180, 50], [100, 50], [0, 100])).toEqual(grown(50, 100, 180));
});

test("a headcount is compared with the earliest one when the company is not known for 180 days", () => {
  expect(people([30, 50], [10, 100], [0, 100])).toEqual([
    ["headcount_growth", ago(10), { from: 50, to: 100, days: 30 }],
  ]);
});

test("growth is detected on the day of the earliest snapshot since which it holds", () => {
  expect(people([300, 10], [100, 50], [50, 60], [0, 70])).toEqual([
    ["headcount_growth", ago(100), { from: 10, to: 70, days: 300 }],
  ]);
  expect(people([300, 10], [100, 50], [50, 11], [0, 70])).toEqual(grown(10, 70, 300));
});

test("growth that turns into decline starts anew", () => {
  expect(people([300, 100], [100, 200], [0, 50])).toEqual(shrunk(100, 50, 300));
});

test("growth is live for 179 days", () => {
  expect(people([400, 10], [179, 50])).toHaveLength(1);
  expect(people([400, 10], [180, 50])).toEqual([]);
});

test("a future snapshot does not count yet", () => expect(people([100, 10], [-1, 50])).toEqual([]));
