import { dayOf, type Day } from "@tranche/shared/domain/time/day";
import type { Snapshot } from "@tranche/shared/domain/records/snapshots";

/** A value observed on a day. */
export interface Seen<T> {
  day: Day;
  value: T;
}

/**
 * The values of one field in the snapshots up to and including `until`, oldest first, one per day. Snapshots without the field are
 * left out. The order of arrival does not matter, except that of several snapshots of a day the last in the list counts.
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
