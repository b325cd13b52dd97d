import type { Params } from "../request/params.ts";
import { valueOf } from "../request/params.ts";

/** A first and a last day, `YYYY-MM-DD`. */
export type Period = { from: string; to: string };

/**
 * The period that filters choose, and the one of the same length right before it. While the chosen one has not ended, `soFar` has the part
 * of each that has passed: a year that is ten months old is compared with ten months.
 */
export type Periods = {
  now: Period;
  before: Period;
  soFar: { now: Period; before: Period };
  months: number | undefined;
};

const DAY_MS = 86_400_000;
/** Months have at least so many days, so that a first day is in every month. */
const EVERY_MONTH = 28;
/** The calendar goes on before it, but no data does. */
const EARLIEST = "1000-01-01";

/**
 * Undefined when the filters choose no period that has begun. `today`: the day of the service. `months` is the length of whole months or
 * years, which are compared with whole ones; undefined for a number of days.
 */
export function periodsOf(params: Params, today: string): Periods | undefined {
  const [from, to = today] = [valueOf(params, "from"), valueOf(params, "to")];
  if (from === undefined || ![from, to].every(isDay) || from > to || from > today) return undefined;
  const months = wholeMonths({ from, to });
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const back = (day: string) => (months === undefined ? plusDays(day, -days) : minusMonths(day, months));
  const before = { from: back(from), to: plusDays(from, -1) };
  if (before.from < EARLIEST || !isDay(before.from)) return undefined;
  const passed = to < today ? to : today;
  const soFar = {
    now: { from, to: passed },
    before: { ...before, to: passed === to ? before.to : earlier(back(passed), before.to) },
  };
  return { now: { from, to }, before, soFar, months };
}

/** The months of a period, the first and the last one also where only a part of it belongs to it. */
export function monthsOf({ from, to }: Period): string[] {
  const months: string[] = [];
  for (let at = `${from.slice(0, 7)}-01`; at <= to; at = minusMonths(at, -1)) months.push(at.slice(0, 7));
  return months;
}

/** How many months a period has that ends on the day before the one on which it began; undefined when it ends on another one. */
function wholeMonths({ from, to }: Period): number | undefined {
  const next = plusDays(to, 1);
  if (next.slice(8) !== from.slice(8) || Number(from.slice(8)) > EVERY_MONTH) return undefined;
  return 12 * (yearOf(next) - yearOf(from)) + (monthOf(next) - monthOf(from));
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && isoDay(Date.parse(text)) === text;
const isoDay = (ms: number) => (Number.isNaN(ms) ? "" : new Date(ms).toISOString().slice(0, 10));
const plusDays = (day: string, days: number) => isoDay(Date.parse(day) + days * DAY_MS);
/** A day that the month lacks becomes its last one. */
function minusMonths(day: string, months: number): string {
  const last = new Date(Date.UTC(yearOf(day), monthOf(day) - months, 0)).getUTCDate();
  return isoDay(Date.UTC(yearOf(day), monthOf(day) - 1 - months, Math.min(last, Number(day.slice(8)))));
}
const yearOf = (day: string) => Number(day.slice(0, 4));
const monthOf = (day: string) => Number(day.slice(5, 7));
const earlier = (a: string, b: string) => (a < b ? a : b);
