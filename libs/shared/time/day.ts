const DAY_MS = 86_400_000;

/** A whole UTC day, counted from 1970-01-01. */
export type Day = number;

/** The day of an ISO date or time (`2013-10-31`, `2013-10-31T08:00:00Z`). */
export function dayOf(iso: string): Day {
  return Math.floor(Date.parse(iso.length === 10 ? `${iso}T00:00:00Z` : iso) / DAY_MS);
}

/** The day as `YYYY-MM-DD`. */
export function isoDay(day: Day): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The day that a time in milliseconds falls on. */
export function dayOfTime(ms: number): Day {
  return Math.floor(ms / DAY_MS);
}
