import { shownDay } from "../../../ui/when.tsx";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** Whether a period stands for its first or for its last day. */
export type Edge = "first" | "last";

/**
 * Reads a day as people write it: `10 Sept 2013`, `Sep 10, 2013`, `2013-09-10`; `Sept 2013`, `2013-09` and `2013` stand for their first or
 * last day. The result is `YYYY-MM-DD`; undefined for what is none. `10/9/2013` is none, because it is two days.
 */
export function readDay(text: string, edge: Edge): string | undefined {
  const parts = text
    .trim()
    .toLowerCase()
    .replaceAll(/[,.]/g, " ")
    .split(/[\s-]+/);
  const year = parts.find((part) => /^\d{4}$/.test(part));
  if (year === undefined || parts.length > 3) return undefined;
  const others = parts.filter((part) => part !== year);
  const named = others.find((part) => /^[a-z]{3,}$/.test(part));
  const month = named === undefined ? others[0] : monthOf(named);
  const day = named === undefined ? others[1] : others.find((part) => part !== named);
  if (named !== undefined && month === undefined) return undefined;
  if (named === undefined && others.length > 0 && parts[0] !== year) return undefined;
  if (month === undefined) return edge === "first" ? `${year}-01-01` : `${year}-12-31`;
  if (day === undefined) return edge === "first" ? existing(year, month, "1") : lastOfMonth(year, month);
  return existing(year, month, day);
}

/** The number of a month by its name or the beginning of it: "9" for "sept". */
function monthOf(name: string): string | undefined {
  const at = MONTHS.findIndex((known) => name.startsWith(known));
  const full = at < 0 ? "" : new Date(Date.UTC(2000, at)).toLocaleString("en", { month: "long", timeZone: "UTC" });
  return full.toLowerCase().startsWith(name) ? String(at + 1) : undefined;
}

function existing(year: string, month: string, day: string): string | undefined {
  if (![month, day].every((part) => /^\d{1,2}$/.test(part))) return undefined;
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  // Some engines take 31 February for 3 March.
  return !Number.isNaN(time) && isoDay(time) === iso ? iso : undefined;
}

function lastOfMonth(year: string, month: string): string | undefined {
  const first = existing(year, month, "1");
  return first && isoDay(Date.UTC(Number(year), Number(month), 0));
}

const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** `2013-09-10` as "10 Sept 2013". Other texts stay as they are. */
export const shownDayText = (text: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(text) && readDay(text, "first") === text ? shownDay(text) : text;

/** A period that people ask for: its name, and its first and last day. */
type Preset = { name: string; from: string; to: string };

/** The usual periods that end today or before, for a day `YYYY-MM-DD`. */
export function presetsOf(today: string): Preset[] {
  const [year, month] = today.split("-").map(Number) as [number, number];
  const daysAgo = (days: number) => isoDay(Date.parse(today) - days * 86_400_000);
  const wholeYear = (of: number) => ({ from: `${of}-01-01`, to: `${of}-12-31` });
  return [
    { name: "Last 30 days", from: daysAgo(29), to: today },
    { name: "Last 90 days", from: daysAgo(89), to: today },
    { name: "Last 12 months", from: isoDay(Date.UTC(year - 1, month - 1, Number(today.slice(8)) + 1)), to: today },
    { name: String(year), ...wholeYear(year) },
    { name: String(year - 1), ...wholeYear(year - 1) },
  ];
}
