import { derivedInstance, type SignalInstance } from "@tranche/shared/domain/signals/instance";
import type { Day } from "@tranche/shared/domain/time/day";
import type { Snapshot } from "@tranche/shared/domain/records/snapshots";
import { seenUntil, type Seen } from "./snapshots.ts";

const SPAN_DAYS = 180;
const LEAST_PEOPLE = 5;

/**
 * `headcount_growth` and `headcount_decline`: the newest headcount is at least 20 % and at least 5 people above (below)
 * its base. The base of a headcount is the last one observed at least 180 days before it, or the earliest one if there is none. The
 * first headcount has no base and is not a change. The signal is detected on the day of the earliest headcount from which each one
 * exceeds its own base that way.
 */
export function headcountSignals(snapshots: readonly Snapshot[], today: Day): SignalInstance[] {
  const seen = seenUntil(snapshots, today, (snapshot) => snapshot.headcount);
  const changes = seen.map((_, i) => changeAt(seen, i));
  const newest = changes.at(-1);
  if (!newest) return [];
  const start = changes.findLastIndex((change) => change?.key !== newest.key) + 1;
  return [derivedInstance(newest.key, seen[start]!.day, { from: newest.from, to: newest.to, days: newest.days })];
}

interface Change {
  key: "headcount_growth" | "headcount_decline";
  from: number;
  to: number;
  days: number;
}

function changeAt(seen: readonly Seen<number>[], i: number): Change | null {
  const { day, value: to } = seen[i]!;
  const base = baseOf(seen, i);
  const from = base.value;
  const change = { from, to, days: day - base.day };
  // In fifths, so that 20 % is exact.
  if (to * 5 >= from * 6 && to - from >= LEAST_PEOPLE) return { key: "headcount_growth", ...change };
  if (to * 5 <= from * 4 && from - to >= LEAST_PEOPLE) return { key: "headcount_decline", ...change };
  return null;
}

/** The base of a headcount; the first one is its own base. */
export function baseOf(seen: readonly Seen<number>[], i: number): Seen<number> {
  return seen.findLast((earlier) => earlier.day <= seen[i]!.day - SPAN_DAYS) ?? seen[0]!;
}
