import { dateReader } from "../mapping/date.ts";
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
  /** How many texts say only a month, a quarter or a year. */
  coarse: number;
  /** Texts that are not read. */
  unread: string[];
};

/** Rounds are announced at most so many years ahead. */
const YEARS_AHEAD = 1;
const MAX_UNREAD = 3;

/** Taken away one after the other until a text is a date. */
const AROUND: readonly (readonly [string, string])[] = [
  ["\\.0$", ""],
  ["^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,? +", ""],
  [
    "[ ,t]{1,3}\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?: ?[ap]\\.?m\\b\\.?)?(?: ?(?:z|utc|gmt|ces?t|[ecmp][sd]t))?(?: ?[+-]\\d{2}:?\\d{2})?(?: \\([^()]*\\))?",
    "",
  ],
  ["(?<=\\d)(?:st|nd|rd|th|er|º)\\b", ""],
  [" (?:del?|of) ", " "],
  [" ?['’](?=\\d{2}$)", "-"],
  ["^h1\\b", "Q1"],
  ["^h2\\b", "Q3"],
  ["\\bh1$", "Q1"],
  ["\\bh2$", "Q3"],
];
const AROUND_READ = AROUND.map(([from, to]) => [new RegExp(from, "giu"), to] as const);

/** How the dates among some texts are written. `name`: of their column. `order`: given by a person. */
export function datesOf(texts: readonly string[], name: string, today: string, order?: Order): Dates {
  const lastYear = Number(today.slice(0, 4)) + YEARS_AHEAD;
  const found = texts.map((text) => ({ text, ...recognised(text, lastYear) }));
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
    replace: AROUND.filter((_, index) => replacements.has(index)).map(([from, to]) => [from, to]),
    share: texts.length === 0 ? 0 : 1 - unread.length / texts.length,
    precision: formats.get(kept[0]!)?.precision ?? -1,
    open: choice.open,
    why: choice.why,
    example: choice.example,
    coarse: found.filter(({ written }) => written && !("parts" in written) && written.precision < 2).length,
    unread: [...new Set(unread.map(({ text }) => text))].slice(0, MAX_UNREAD),
  };
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
): { written: Written | undefined; bare: string; replaced: number[] } {
  const asIs = writtenDate(text, lastYear);
  if (asIs) return { written: asIs, bare: text, replaced: [] };
  let bare = text;
  const replaced: number[] = [];
  for (const [index, [from, to]] of AROUND_READ.entries()) {
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
