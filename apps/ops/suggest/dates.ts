import { keyOf } from "@tranche/shared/domain/text/key";
import { dateReader } from "@tranche/intake/mapping/date";
import { monthOf } from "@tranche/intake/mapping/month-names";

/** The parts of a date in the order in which they are written. */
export type Order = "day_first" | "month_first" | "year_first";

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

/** A date of numbers, such as `04/05/2023`. */
type Numbers = { separators: [string, string]; parts: [string, string, string]; yearAt: 0 | 2 | undefined };
type Written = { format: string; precision: number } | Numbers;

const FIRST_YEAR = 1950;
/** Rounds are announced at most so many years ahead. */
const YEARS_AHEAD = 1;
/** Contradicting texts count as mistakes below this share. */
const MISTAKES = 0.01;
const MAX_UNREAD = 3;
const MANY = 12;
const FAR_FEWER = 3;

const readers = new Map<string, ReturnType<typeof dateReader>>();

function readerOf(format: string): ReturnType<typeof dateReader> {
  const known = readers.get(format) ?? dateReader([format]);
  readers.set(format, known);
  return known;
}

/** Taken away one after the other until a text is a date. */
const AROUND: readonly (readonly [string, string])[] = [
  ["\\.0$", ""],
  ["^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,? +", ""],
  [
    "[ ,t]+\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?: ?[ap]\\.?m\\b\\.?)?(?: ?(?:z|utc|gmt|ces?t|[ecmp][sd]t))?(?: ?[+-]\\d{2}:?\\d{2})?(?: \\([^)]*\\))?",
    "",
  ],
  ["(?<=\\d)(?:st|nd|rd|th|er|º)\\b", ""],
  [" (?:del?|of) ", " "],
  ["'(?=\\d{2}$)", ""],
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

const day = (format: string) => ({ format, precision: 2 });
const month = (format: string) => ({ format, precision: 1 });

function writtenDate(text: string, lastYear: number): Written | undefined {
  const isYear = (year: number) => year >= FIRST_YEAR && year <= lastYear;
  const reads = (format: string) => {
    const date = readerOf(format)(text);
    return date !== undefined && isYear(Number(date.slice(0, 4)));
  };
  if (/^[\d.]+$/.test(text)) {
    const plain = plainNumber(text, reads);
    if (plain) return plain;
  }
  const numbers = /^(\d{1,4})([-/. ]|\. )(\d{1,2})([-/. ]|\. )(\d{1,4})\.?$/.exec(text);
  if (numbers) return numberDate(numbers, isYear);
  if (/^\d{4}-\d{2}-\d{2}[T ]\d/i.test(text) && reads("iso")) return day("iso");
  const format =
    monthFormat(text) ??
    quarterFormat(text) ??
    (/^\d{4}年\d{1,2}月\d{1,2}日$/.test(text) ? "yyyy'年'M'月'd'日'" : undefined);
  if (format !== undefined && reads(format)) return format.includes("d") ? day(format) : month(format);
  const months = /^(?:\d{4}([-/.])(\d{1,2})|(\d{1,2})([-/.])\d{4}|\d{4}年\d{1,2}月)$/.exec(text);
  if (!months) return undefined;
  const [, after, last, first, before] = months;
  const written = after
    ? `yyyy${after}${last!.length === 2 ? "MM" : "M"}`
    : before
      ? `${first!.length === 2 ? "MM" : "M"}${before}yyyy`
      : "yyyy'年'M'月'";
  return reads(written) ? month(written) : undefined;
}

/** Years are not seconds, and numbers of months are not serial numbers of spreadsheets: the number of digits decides. */
function plainNumber(text: string, reads: (format: string) => boolean): Written | undefined {
  const [digits = "", fraction] = text.split(".");
  const isWhole = fraction === undefined;
  const formats: Record<number, Written> = {
    4: { format: "yyyy", precision: 0 },
    6: month("yyyyMM"),
    8: day("yyyyMMdd"),
    12: day("unix_ms"),
    13: day("unix_ms"),
  };
  const withFraction: Record<number, Written> = { 5: day("excel"), 9: day("unix"), 10: day("unix") };
  const written = withFraction[digits.length] ?? (isWhole ? formats[digits.length] : undefined);
  return written && "format" in written && reads(written.format) ? written : undefined;
}

function numberDate(found: RegExpExecArray, isYear: (year: number) => boolean): Numbers | undefined {
  const [, first, before, second, after, third] = found as unknown as string[];
  if (before !== after) return undefined;
  const yearAt = first!.length === 4 ? 0 : third!.length === 4 ? 2 : undefined;
  if (yearAt === undefined && (first!.length > 2 || third!.length > 2)) return undefined;
  if (yearAt === undefined && third!.length === 1 && first!.length === 1) return undefined;
  const parts: [string, string, string] = [first!, second!, third!];
  if (yearAt !== undefined && !isYear(Number(parts[yearAt]))) return undefined;
  if (yearAt !== undefined && parts[2 - yearAt]!.length > 2) return undefined;
  const end = found[0].endsWith(".") ? "." : "";
  return { separators: [before!, end], parts, yearAt };
}

/** The letters of a format that are a text of their own are put in quotes. */
function monthFormat(text: string): string | undefined {
  const words = text.match(/\p{L}+/gu) ?? [];
  const digits = text.match(/\d+/g) ?? [];
  if (words.length !== 1 || words[0].length < 3 || monthOf(words[0]) === undefined) return undefined;
  if (digits.length === 0 || digits.length > 2) return undefined;
  const isLong = [...new Intl.Segmenter().segment(words[0])].length > 3 && !/^sept$/i.test(words[0]);
  const years = digits.filter((each) => each.length === 4);
  if (years.length > 1 || digits.some((each) => each.length === 3 || each.length > 4)) return undefined;
  let shorts = 0;
  return text.replace(/\p{L}+|\d+/gu, (part) => {
    if (/\p{L}/u.test(part)) return isLong ? "MMMM" : "MMM";
    if (part.length === 4) return "yyyy";
    shorts++;
    return years.length === 1 || (digits.length === 2 && shorts === 1) ? "d" : "yy";
  });
}

function quarterFormat(text: string): string | undefined {
  if (
    !/^(?:Q[1-4][ -/]?(?:\d{4}|\d{2})|\d{4}[ -/]?Q[1-4]|[1-4]Q[ -/]?(?:\d{4}|\d{2})|[1-4]\. ?Quartal \d{4})$/i.test(
      text,
    )
  )
    return undefined;
  return text
    .replace(/\d{4}|\d{2}$/, (year) => (year.length === 4 ? "YYYY" : "YY"))
    .replace(/\d/, "#")
    .replace(/Quartal|Q/i, "'$&'")
    .replace("#", "q")
    .replace(/Y+/, (year) => year.toLowerCase());
}

const shapeOf = ({ separators, yearAt }: Numbers) => `${separators.join(" ")}${yearAt ?? "-"}`;
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

type Choice = { of: (numbers: Numbers) => Order; open: Order[]; why: string | undefined; example: string | undefined };

/** The unambiguous dates of the whole column decide, whatever separates their parts; then the column's name. */
function chooseOrder(all: readonly Numbers[], name: string, lastYear: number, given?: Order): Choice {
  // With the year first, the month follows.
  const dates = all.filter(({ yearAt }) => yearAt !== 0);
  const rest: Choice = { of: () => "year_first", open: [], why: undefined, example: undefined };
  if (dates.length === 0) return rest;
  const of = (order: Order) => (numbers: Numbers) => (numbers.yearAt === 0 ? "year_first" : order);
  if (given) return { ...rest, of: of(given), why: `${orderText(given)}, as you say` };

  const orders: Order[] = dates.every(({ yearAt }) => yearAt === undefined)
    ? yearFirstToo(dates)
    : ["day_first", "month_first"];
  const wrong = (order: Order, some: readonly Numbers[]) =>
    some.filter((each) => !dateIn(each, order, lastYear)).length;
  const possible = orders.filter((order) => wrong(order, dates) === 0);
  const example = dates.find(
    (each) =>
      new Set(orders.map((order) => dateIn(each, order, lastYear) ?? order)).size > 1 &&
      orders.filter((order) => dateIn(each, order, lastYear)).length > 1,
  );
  const shown = example && shownNumbers(example);

  if (possible.length === 1) {
    const proof = dates.find((each) => orders.some((order) => order !== possible[0] && !dateIn(each, order, lastYear)));
    return {
      ...rest,
      of: of(possible[0]!),
      why: `${orderText(possible[0]!)}, as ${proof ? `in '${shownNumbers(proof)}'` : "few different years are written there"}`,
    };
  }
  const hint = hintOf(name);
  if (possible.length > 1) {
    if (hint && possible.includes(hint))
      return { ...rest, of: of(hint), why: `${orderText(hint)}, as the column's name says` };
    if (!example) return { ...rest, of: of(possible[0]!) };
    return { of: of(possible[0]!), open: possible, why: undefined, example: shown };
  }
  const best = orders.toSorted((a, b) => wrong(a, dates) - wrong(b, dates))[0]!;
  if (wrong(best, dates) <= MISTAKES * dates.length)
    return {
      ...rest,
      of: of(best),
      why: `${orderText(best)}, as in all but ${wrong(best, dates)} of ${dates.length} dates`,
    };
  const shapes = new Map(
    [...Map.groupBy(dates, shapeOf)].map(([shape, some]) => [
      shape,
      orders.filter((order) => wrong(order, some) === 0),
    ]),
  );
  if ([...shapes.values()].every((each) => each.length === 1))
    return {
      ...rest,
      of: (each) => shapes.get(shapeOf(each))?.[0] ?? "year_first",
      why: "the order of each notation as its own dates say",
    };
  return { of: of(best), open: orders, why: undefined, example: shown };
}

/** In many dates with two digits for each part, the part with far fewer distinct texts is the year. */
function yearFirstToo(dates: readonly Numbers[]): Order[] {
  const different = (index: 0 | 2) => new Set(dates.map(({ parts }) => parts[index])).size;
  const [first, last] = [different(0), different(2)];
  if (dates.length >= MANY && last <= first / FAR_FEWER) return ["day_first", "month_first"];
  if (dates.length >= MANY && first <= last / FAR_FEWER) return ["year_first"];
  return ["day_first", "month_first", "year_first"];
}

/** The date in an order, as a text that can be compared; undefined when it does not exist or is too far away. */
function dateIn({ parts, yearAt }: Numbers, order: Order, lastYear: number): string | undefined {
  const [a, b, c] = parts.map(Number) as [number, number, number];
  const [written, m, d] =
    order === "year_first" || yearAt === 0 ? [a, b, c] : order === "day_first" ? [c, b, a] : [c, a, b];
  const year = written > 99 || yearAt !== undefined ? written : written + (written > 60 ? 1900 : 2000);
  if (yearAt === undefined && order === "year_first" && parts[0].length !== 2) return undefined;
  if (yearAt === undefined && order !== "year_first" && parts[2].length !== 2) return undefined;
  if (year > lastYear || year < FIRST_YEAR || m < 1 || m > 12 || d < 1) return undefined;
  return d <= new Date(Date.UTC(year, m, 0)).getUTCDate() ? `${year}-${m}-${d}` : undefined;
}

function hintOf(name: string): Order | undefined {
  const key = keyOf(name).replaceAll("-", "");
  if (/(?:dd|tt|jj)mm(?:yy|aa|jj)/.test(key)) return "day_first";
  if (/mm(?:dd|tt|jj)(?:yy|aa|jj)/.test(key)) return "month_first";
  return undefined;
}

const shownNumbers = ({ parts, separators: [separator, end] }: Numbers) => parts.join(separator) + end;
const orderText = (order: Order) => order.replace("_", " ");
