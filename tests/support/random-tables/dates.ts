import type { Random } from "./random.ts";
import type { TrueRound } from "./rounds.ts";

/** Days become the first day of what a notation says. */
export type Precision = "day" | "month" | "quarter" | "year";

const EN_MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const DE_MONTHS = [
  "Januar",
  "Februar",
  "März",
  "April",
  "Mai",
  "Juni",
  "Juli",
  "August",
  "September",
  "Oktober",
  "November",
  "Dezember",
];

type Day = TrueRound["date"];
const two = (value: number) => String(value).padStart(2, "0");
const iso = ({ year, month, day }: Day) => `${year}-${two(month)}-${two(day)}`;
const utc = ({ year, month, day }: Day) => Date.UTC(year, month - 1, day);
const quarter = ({ month }: Day) => Math.ceil(month / 3);

export type DateNotation = {
  name: string;
  write: (date: Day) => string;
  precision: Precision;
  order?: "day_first" | "month_first" | "year_first";
};
const notation = (
  name: string,
  write: DateNotation["write"],
  order?: DateNotation["order"],
  precision: DateNotation["precision"] = "day",
): DateNotation => ({ name, write, precision, ...(order ? { order } : {}) });

function ordered(random: Random): DateNotation {
  const separator = random.pick(["/", "-", ".", "/"]);
  const padded = random.chance(0.6);
  const short = random.chance(0.2);
  const monthFirst = random.chance(0.4);
  const time = random.chance(0.15) ? random.pick([" 12:05", " 08:30:00", " 9:05 PM"]) : "";
  const part = (value: number) => (padded ? two(value) : String(value));
  return notation(
    `${monthFirst ? "M-D" : "D-M"}-${short ? "yy" : "yyyy"} ${separator}${time}`,
    ({ year, month, day }) =>
      [
        ...(monthFirst ? [part(month), part(day)] : [part(day), part(month)]),
        short ? two(year % 100) : String(year),
      ].join(separator) + time,
    monthFirst ? "month_first" : "day_first",
  );
}

const DATES: readonly DateNotation[] = [
  notation("iso", iso),
  notation("js", (date) => `${iso(date)}T12:05:09.000Z`),
  notation("python", (date) => `${iso(date)}T12:05:09.123456`),
  notation("postgres", (date) => `${iso(date)} 12:05:09+00:00`),
  notation("bigquery", (date) => `${iso(date)} 12:05:09 UTC`),
  notation("minutes", (date) => `${iso(date)} 12:05`),
  notation("slashes", ({ year, month, day }) => `${year}/${month}/${day}`),
  notation("dots", ({ year, month, day }) => `${year}.${month}.${day}`),
  notation(
    "two-digit years first",
    ({ year, month, day }) => `${two(year % 100)}-${two(month)}-${two(day)}`,
    "year_first",
  ),
  notation("compact", (date) => iso(date).replaceAll("-", "")),
  notation("excel", (date) => String(utc(date) / 86_400_000 + 25_569)),
  notation("excel time", (date) => `${utc(date) / 86_400_000 + 25_569}.5`),
  notation("unix", (date) => String(utc(date) / 1000 + 3600)),
  notation("unix_ms", (date) => String(utc(date) + 3_600_000)),
  notation("US long", ({ year, month, day }) => `${EN_MONTHS[month - 1]} ${day}, ${year}`),
  notation("US short", ({ year, month, day }) => `${EN_MONTHS[month - 1]!.slice(0, 3)} ${day}, ${year}`),
  notation("UK short", ({ year, month, day }) => `${day} ${EN_MONTHS[month - 1]!.slice(0, 3)} ${year}`),
  notation(
    "Excel short",
    ({ year, month, day }) => `${two(day)}-${EN_MONTHS[month - 1]!.slice(0, 3)}-${two(year % 100)}`,
  ),
  notation(
    "Oracle",
    ({ year, month, day }) => `${two(day)}-${EN_MONTHS[month - 1]!.slice(0, 3).toUpperCase()}-${year}`,
  ),
  notation(
    "weekday",
    (date) =>
      `${["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][new Date(utc(date)).getUTCDay()]}, ${EN_MONTHS[date.month - 1]!.slice(0, 3)} ${date.day}, ${date.year}`,
  ),
  notation("JS Date", (date) => new Date(utc(date)).toUTCString()),
  notation(
    "ordinal",
    ({ year, month, day }) =>
      `${EN_MONTHS[month - 1]} ${day}${["th", "st", "nd", "rd"][day % 10 > 3 || (day > 10 && day < 14) ? 0 : day % 10]}, ${year}`,
  ),
  notation("German", ({ year, month, day }) => `${day}. ${DE_MONTHS[month - 1]} ${year}`),
  notation("Chinese", ({ year, month, day }) => `${year}年${month}月${day}日`),
  notation("month", ({ year, month }) => `${year}-${two(month)}`, undefined, "month"),
  notation("month compact", ({ year, month }) => `${year}${two(month)}`, undefined, "month"),
  notation("month slash", ({ year, month }) => `${two(month)}/${year}`, undefined, "month"),
  notation("month name", ({ year, month }) => `${EN_MONTHS[month - 1]} ${year}`, undefined, "month"),
  notation(
    "Excel month",
    ({ year, month }) => `${EN_MONTHS[month - 1]!.slice(0, 3)}-${two(year % 100)}`,
    undefined,
    "month",
  ),
  notation("quarter", (date) => `Q${quarter(date)} ${date.year}`, undefined, "quarter"),
  notation("quarter behind", (date) => `${date.year}-Q${quarter(date)}`, undefined, "quarter"),
  notation("year", ({ year }) => String(year), undefined, "year"),
  notation("year of pandas", ({ year }) => `${year}.0`, undefined, "year"),
];
/** Whole numbers are dates only in a column whose name says so, and a Chinese one needs its characters. */
const NEEDS_UNICODE = new Set(["Chinese"]);

export function dateNotation(random: Random, encoding: string): DateNotation {
  if (random.chance(0.4)) return ordered(random);
  const found = random.pick(DATES);
  return NEEDS_UNICODE.has(found.name) && !encoding.startsWith("utf") ? DATES[0]! : found;
}

export function dateHeader(random: Random, name: string, { precision, order }: DateNotation): string {
  if (precision === "year" && random.chance(0.5)) return random.pick(["Year", "Funding year"]);
  if (order === "day_first" && random.chance(0.1)) return `${name} (dd/mm/yyyy)`;
  return name;
}
