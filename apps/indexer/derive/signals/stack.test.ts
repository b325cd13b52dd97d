import { expect, test } from "vitest";
import type { SignalInstance } from "@tranche/shared/domain/signals/instance";
import { isLive } from "@tranche/shared/domain/signals/instance";
import { dayOf, isoDay } from "@tranche/shared/domain/time/day";
import type { Snapshot } from "@tranche/shared/domain/records/snapshots";
import type { CompanyHistory } from "./history.ts";
import { stackSignals } from "./stack.ts";

const today = dayOf("2025-06-01");
const ago = (days: number): string => isoDay(today - days);

function live(more: Partial<CompanyHistory>): SignalInstance[] {
  const history = { rounds: [], snapshots: [], ingested: [], stack: null, ...more };
  return stackSignals(history).filter((instance) => isLive(instance, today));
}
const since = (more: Partial<CompanyHistory>): string | undefined => live(more)[0]?.detected_at;
const seen = (daysAgo: number, ...value: string[]) => ({ value, observed_at: ago(daysAgo) });
const stack = (...value: string[]): string[] => live({ stack: seen(0, ...value) }).map((x) => x.key);
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
  expect(live({ stack: seen(0, "Perl", "PyTorch") })[0]?.evidence).toEqual({ technologies: ["PyTorch"] });
});

test("a stack signal is detected when the record was observed", () => {
  expect(live({ stack: seen(7, "ml") })).toMatchObject([{ detected_at: ago(7), expires_at: null }]);
});

test("a stack signal is detected on the earliest snapshot since which it holds without a break, in any order of arrival", () => {
  const snapshots = [snapshot(300, "ml"), snapshot(200), snapshot(100, "keras"), snapshot(50, "ml"), snapshot(7, "ml")];
  for (const order of [snapshots, snapshots.toReversed()]) {
    expect(since({ stack: seen(7, "ml"), snapshots: order })).toBe(ago(100));
  }
});

test("a snapshot without a stack is not a break", () => {
  const unseen = { observed_at: ago(60), technologies: null, headcount: 5 };
  const snapshots = [snapshot(100, "ml"), unseen];
  expect(since({ stack: seen(7, "ml"), snapshots })).toBe(ago(100));
});

test("a stack signal is not live before the record is observed", () =>
  expect(live({ stack: seen(-1, "ml") })).toEqual([]));
