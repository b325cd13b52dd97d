import { expect, test } from "vitest";
import type { SignalInstance } from "@tranche/shared/signals/instance";
import { isLive } from "@tranche/shared/signals/instance";
import { dayOf, isoDay } from "@tranche/shared/time/day";
import type { CompanyHistory, Snapshot } from "./history.ts";
import { stackSignals } from "./stack.ts";

const today = dayOf("2025-06-01");
const ago = (days: number): string => isoDay(today - days);

function live(more: Partial<CompanyHistory>): SignalInstance[] {
  const history = { rounds: [], snapshots: [], ingested: [], techStack: [], observedAt: ago(0), ...more };
  return stackSignals(history).filter((instance) => isLive(instance, today));
}
const since = (more: Partial<CompanyHistory>): string | undefined => live(more)[0]?.detected_at;
const stack = (...techStack: string[]): string[] => live({ techStack }).map((x) => x.key);
const snapshot = (daysAgo: number, ...technologies: string[]): Snapshot => ({
  observed_at: ago(daysAgo),
  technologies,
  headcount: null,
});

test("a stack is modern with three technologies of two groups", () => {
  expect(stack("TypeScript", "React", "Vue")).toEqual(["modern_stack"]);
  expect(stack("React", "Vue", "Svelte")).toEqual([]);
  expect(stack("TypeScript", "React")).toEqual([]);
  expect(stack("React", "React.js", "reactjs", "Go")).toEqual([]);
});

test("COBOL, Fortran and Perl are in no group", () => expect(stack("COBOL", "Fortran", "Perl")).toEqual([]));

test("a stack is AI with one technology", () => {
  expect(stack("ml")).toEqual(["ai_stack"]);
  expect(live({ techStack: ["Perl", "PyTorch"] })[0]?.evidence).toEqual({ technologies: ["PyTorch"] });
});

test("a stack signal is detected when the record was observed", () => {
  expect(live({ techStack: ["ml"], observedAt: ago(7) })).toMatchObject([{ detected_at: ago(7), expires_at: null }]);
});

test("a stack signal is detected on the earliest snapshot since which it holds without a break, in any order of arrival", () => {
  const snapshots = [snapshot(300, "ml"), snapshot(200), snapshot(100, "keras"), snapshot(50, "ml"), snapshot(7, "ml")];
  for (const order of [snapshots, snapshots.toReversed()]) {
    expect(since({ techStack: ["ml"], snapshots: order, observedAt: ago(7) })).toBe(ago(100));
  }
});

test("a snapshot without a stack is not a break", () => {
  const unseen = { observed_at: ago(60), technologies: null, headcount: 5 };
  const snapshots = [snapshot(100, "ml"), unseen];
  expect(since({ techStack: ["ml"], snapshots, observedAt: ago(7) })).toBe(ago(100));
});

test("a stack signal is not live before the record is observed", () =>
  expect(live({ techStack: ["ml"], observedAt: ago(-1) })).toEqual([]));
