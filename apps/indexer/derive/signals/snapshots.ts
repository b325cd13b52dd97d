import { dayOf, type Day } from "@tranche/shared/time/day";
import type { Snapshot } from "./history.ts";

/** A value seen on a day. */
export interface Seen<T> {
  day: Day;
  value: T;
}

/**
 * What the snapshots up to and on `until` say of one field, oldest first, one a day; those that do not say it are
 * left out. The order in which snapshots arrived plays no part, but of several of one day the last in the list counts.
 */
export function seenUntil<T>(
  snapshots: readonly Snapshot[],
  until: Day,
  field: (snapshot: Snapshot) => T | null,
): Seen<T>[] {
  const byDay = new Map<Day, T>();
  for (const snapshot of snapshots) {
    const day = dayOf(snapshot.observed_at);
    const value = field(snapshot);
    if (day <= until && value !== null) byDay.set(day, value);
  }
  return [...byDay].map(([day, value]) => ({ day, value })).sort((a, b) => a.day - b.day);
}
