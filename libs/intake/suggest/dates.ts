import { dateReader } from "../mapping/date.ts";
import { monthOf } from "../mapping/month-names.ts";
import { readerOf, type Numbers, type Written, writtenDate } from "./date-notations.ts";
import { chooseOrder, type Order, shapeOf } from "./date-order.ts";

/** How the dates of a column are written. */
export type Dates = {
  formats: string[];
  /** Text that is removed from the values before they are read. */
  replace: [string, string][];
  /** How much of the texts is read, 0 to 1. */
  share: number;
  /** The precision of most texts: 2 for days, 1 for months and quarters, 0 for years. */
  precision: number;
  /** Orders that the texts allow and in which they are different dates; one or none where nothing is open. */
  open: Order[];
  /** Why the order was chosen, where there was a choice. */
  why: string | undefined;
  /** A text that is another date in another order. */
  example: string | undefined;
  /** A text such as `Mar 21`, where nothing tells whether it has a year or a day. */
  openYear: string | undefined;
  /** How many texts say only a month, a quarter or a year. */
  coarse: number;
  /** Texts that are not read. */
  unread: string[];
};

/** Rounds are announced at most so many years ahead. */
const YEARS_AHEAD = 1;
const MAX_UNREAD = 3;
const MOST_FROM = 0.9;

/** Taken away one after the other until a text is a date. */
const AROUND: readonly (readonly [string, string])[] = [
  ["\\.0$", ""],
  [
    "^(?:(?:mon|tue|wed|thu|fri|sat|sun|diens|donners|frei|sams|sonn|mittwoch)[a-z]*|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|le|el|on)\\.?,? +",
    "",
  ],
  [" ?→[^]*$| (?:г|года)\\.?$", ""],
  [
    "[ ,t]{1,3}\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?: ?[ap]\\.?m\\b\\.?)?(?: ?(?:z|utc|gmt|uhr|ces?t|[ecmp][sd]t))?(?: ?[+-]\\d{2}:?\\d{2}(?: utc)?)?(?: \\([^()]*\\))?|(?<=^\\d{8})t\\d{6}z?$",
    "",
  ],
  ["(?<=\\d)(?:st|nd|rd|th|er|º)\\b", ""],
  [" (?:del?|of) ", " "],
  [" ?['’](?=\\d{2}$)", "-"],
  ["^t(?=[1-4]\\b)|(?<=^[1-4])t(?= ?\\d{2})", "Q"],
  ["^h1\\b", "Q1"],
  ["^h2\\b", "Q3"],
  ["\\bh1$", "Q1"],
  ["\\bh2$", "Q3"],
];
/** Makes `Mar-21` of `Mar 21`, where the number is a year. */
const YEAR_BEHIND = ["(?<=^\\p{L}{3,10}\\.?) (?=\\d{2}$)", "-"] as const;
const compiled = ([from, to]: readonly [string, string]) => [new RegExp(from, "giu"), to] as const;
const AROUND_READ = AROUND.map(compiled);
const AROUND_AND_YEAR = [...AROUND_READ, compiled(YEAR_BEHIND)];
const MONTH_AND_NUMBER = /^(\p{L}{3,10})\.? (\d{1,2})$/u;

/** How the dates among some texts are written. `name`: of their column. `order`: given by a person. */
export function datesOf(texts: readonly string[], name: string, today: string, order?: Order): Dates {
  const lastYear = Number(today.slice(0, 4)) + YEARS_AHEAD;
  const { isYear, openYear } = numbersBehindMonths(texts, name, lastYear);
  const around = isYear ? [...AROUND, YEAR_BEHIND] : AROUND;
  const found = texts.map((text) => ({ text, ...recognised(text, lastYear, isYear ? AROUND_AND_YEAR : AROUND_READ) }));
  const numbers = found.flatMap(({ written }) => (written && "parts" in written ? [written] : []));
  const choice = chooseOrder(numbers, name, lastYear, order);
  const formats = new Map<string, { count: number; precision: number }>();
  const padded = new Map<string, boolean>();
  for (const each of numbers) {
    const key = shapeOf(each);
    padded.set(key, (padded.get(key) ?? true) && isPadded(each));
  }
  for (const { written } of found) {
    if (!written) continue;
    const format =
      "parts" in written ? numberFormat(written, choice.of(written), padded.get(shapeOf(written))!) : written.format;
    const precision = "parts" in written ? 2 : written.precision;
    formats.set(format, { precision, count: (formats.get(format)?.count ?? 0) + 1 });
  }
  const kept = needed(
    [...formats].toSorted(([, a], [, b]) => b.count - a.count).map(([format]) => format),
    found.flatMap(({ bare, written }) => (written ? [bare] : [])),
  );
  const read = dateReader(kept);
  const unread = found.filter(({ bare, written }) => !written || read(bare) === undefined);
  const replacements = new Set(found.flatMap(({ replaced }) => replaced));
  return {
    formats: kept,
    replace: around.filter((_, index) => replacements.has(index)).map(([from, to]) => [from, to]),
    share: texts.length === 0 ? 0 : 1 - unread.length / texts.length,
    precision: formats.get(kept[0]!)?.precision ?? -1,
    open: choice.open,
    why: choice.why,
    example: choice.example,
    openYear,
    coarse: found.filter(({ written }) => written && !("parts" in written) && written.precision < 2).length,
    unread: [...new Set(unread.map(({ text }) => text))].slice(0, MAX_UNREAD),
  };
}

/** Whether the numbers of `Mar 21` are years: those of days end at 31, and those of years now. A column that also has whole dates has days. */
function numbersBehindMonths(
  texts: readonly string[],
  name: string,
  lastYear: number,
): { isYear: boolean; openYear: string | undefined } {
  const found = texts.flatMap((text) => {
    const [, month = "", number] = MONTH_AND_NUMBER.exec(text) ?? [];
    return monthOf(month) === undefined || number === undefined ? [] : [{ text, number }];
  });
  const isDay = found.some(
    ({ number }) => number.length < 2 || (Number(number) > lastYear % 100 && Number(number) <= 31),
  );
  if (found.length < MOST_FROM * texts.length || found.length === 0 || isDay)
    return { isYear: false, openYear: undefined };
  const isSure =
    /month|monat|mois|\bmes\b/i.test(name) || found.some(({ number }) => Number(number) > 31 || number === "00");
  return { isYear: true, openYear: isSure ? undefined : found[0]!.text };
}

/** The formats without those whose texts the ones before read. */
function needed(formats: readonly string[], texts: readonly string[]): string[] {
  const kept: string[] = [];
  let left = texts;
  for (const format of formats) {
    const read = readerOf(format);
    const still = left.filter((text) => read(text) === undefined);
    if (still.length < left.length) kept.push(format);
    left = still;
  }
  return kept;
}

function recognised(
  text: string,
  lastYear: number,
  around: typeof AROUND_READ,
): { written: Written | undefined; bare: string; replaced: number[] } {
  const asIs = writtenDate(text, lastYear);
  if (asIs) return { written: asIs, bare: text, replaced: [] };
  let bare = text;
  const replaced: number[] = [];
  for (const [index, [from, to]] of around.entries()) {
    const next = bare.replace(from, to).trim();
    if (next === bare) continue;
    bare = next;
    replaced.push(index);
    const written = writtenDate(bare, lastYear);
    if (written) return { written, bare, replaced };
  }
  return { written: undefined, bare: text, replaced: [] };
}

const isPadded = ({ parts, yearAt }: Numbers) => parts.every((part, index) => index === yearAt || part.length === 2);

function numberFormat({ separators: [separator, end], yearAt }: Numbers, order: Order, padded: boolean): string {
  const [d, m] = padded ? ["dd", "MM"] : ["d", "M"];
  const y = yearAt === undefined ? "yy" : "yyyy";
  const isYearFirst = yearAt === 0 || order === "year_first";
  const parts = isYearFirst
    ? order === "day_first"
      ? [y, d, m]
      : [y, m, d]
    : order === "month_first"
      ? [m, d, y]
      : [d, m, y];
  return parts.join(separator) + end;
}
