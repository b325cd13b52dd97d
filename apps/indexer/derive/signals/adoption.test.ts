import { expect, test } from "vitest";
import { isLive } from "@tranche/shared/domain/signals/instance";
import { dayOf, isoDay, type Day } from "@tranche/shared/domain/time/day";
import { adoptionSignals } from "./adoption.ts";
import type { Snapshot } from "@tranche/shared/domain/records/snapshots";

const today = dayOf("2025-06-01");
const ago = (days: number): string => isoDay(today - days);
const snapshot = (daysAgo: number, ...technologies: string[]): Snapshot => ({
  observed_at: ago(daysAgo),
  technologies,
  headcount: null,
});

const changesOn = (day: Day, ...snapshots: Snapshot[]): unknown[] =>
  adoptionSignals(snapshots, day)
    .filter((instance) => isLive(instance, day))
    .map(({ key, detected_at, evidence }) => [key, detected_at, evidence?.["technologies"]]);
const changes = (...snapshots: Snapshot[]): unknown[] => changesOn(today, ...snapshots);

test("the first snapshot is not a change", () => expect(changes(snapshot(10, "Perl"))).toEqual([]));

test("technologies are adopted and dropped between two snapshots, in any order of arrival", () => {
  const expected = [
    ["tech_adopted", ago(10), ["Go", "Rust"]],
    ["tech_dropped", ago(10), ["Perl"]],
  ];
  const [first, second] = [snapshot(20, "Perl", "Java"), snapshot(10, "Java", "Rust", "Go")];
  expect(changes(first, second)).toEqual(expected);
  expect(changes(second, first)).toEqual(expected);
});

test("another name of the same technology is not a change", () => {
  expect(changes(snapshot(20, "node", "Postgres"), snapshot(10, "Node.js", "PostgreSQL"))).toEqual([]);
});

test("what came and went again is dropped, not adopted", () => {
  expect(changes(snapshot(30, "Java"), snapshot(20, "Java", "Go"), snapshot(10, "Java"))).toEqual([
    ["tech_dropped", ago(10), ["Go"]],
  ]);
});

test("what went and came again is adopted, not dropped", () => {
  expect(changes(snapshot(30, "Go"), snapshot(20), snapshot(10, "Go"))).toEqual([["tech_adopted", ago(10), ["Go"]]]);
});

test("a change is live for 119 days", () => {
  expect(changes(snapshot(300), snapshot(119, "Go"))).toEqual([["tech_adopted", ago(119), ["Go"]]]);
  expect(changes(snapshot(300), snapshot(120, "Go"))).toEqual([]);
});

test("technologies adopted one after the other are each detected on its own day", () => {
  expect(changes(snapshot(30), snapshot(20, "Go"), snapshot(10, "Go", "Rust"))).toEqual([
    ["tech_adopted", ago(20), ["Go"]],
    ["tech_adopted", ago(10), ["Rust"]],
  ]);
});

test("a future snapshot does not count yet", () => {
  const snapshots = [snapshot(10, "Go"), snapshot(-1, "Rust")];
  expect(changes(...snapshots)).toEqual([]);
  expect(changesOn(today + 1, ...snapshots)).toHaveLength(2);
});
