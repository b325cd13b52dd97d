const DAY_MS = 86_400_000;

/** A whole UTC day, counted from 1970-01-01. */
export type Day = number;

/** Caches of days and dates. There are few of them, and deriving uses the same ones all the time. */
const DAYS = new Map<string, Day>();
const DATES = new Map<Day, string>();

/** The day of an ISO date or time (`2013-10-31`, `2013-10-31T08:00:00Z`). */
export function dayOf(iso: string): Day {
  if (iso.length !== 10) return Math.floor(Date.parse(iso) / DAY_MS);
  const known = DAYS.get(iso);
  if (known !== undefined) return known;
  const day = Math.floor(Date.parse(`${iso}T00:00:00Z`) / DAY_MS);
  // Texts that are not dates are not cached, because there is no limit to their number.
  if (!Number.isNaN(day)) DAYS.set(iso, day);
  return day;
}

/** The day as `YYYY-MM-DD`. */
export function isoDay(day: Day): string {
  const known = DATES.get(day);
  if (known !== undefined) return known;
  const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
  DATES.set(day, date);
  return date;
}

/** The day that a time in milliseconds falls on. */
export function dayOfTime(ms: number): Day {
  return Math.floor(ms / DAY_MS);
}
