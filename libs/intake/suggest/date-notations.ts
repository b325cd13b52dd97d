import { dateReader } from "../mapping/date.ts";
import { monthOf } from "../mapping/month-names.ts";

/** A date of numbers, such as `04/05/2023`. */
export type Numbers = { separators: [string, string]; parts: [string, string, string]; yearAt: 0 | 2 | undefined };
export type Written = { format: string; precision: number } | Numbers;

export const FIRST_YEAR = 1950;

const readers = new Map<string, ReturnType<typeof dateReader>>();

/** Reads dates of one format. */
export function readerOf(format: string): ReturnType<typeof dateReader> {
  const known = readers.get(format) ?? dateReader([format]);
  readers.set(format, known);
  return known;
}

const day = (format: string) => ({ format, precision: 2 });
const month = (format: string) => ({ format, precision: 1 });

/** How a date is written; undefined where a text is none from FIRST_YEAR to `lastYear`. */
export function writtenDate(raw: string, lastYear: number): Written | undefined {
  // Digits may have full width.
  const text = raw.normalize("NFKC");
  const isYear = (year: number) => year >= FIRST_YEAR && year <= lastYear;
  const reads = (format: string) => {
    const date = readerOf(format)(text);
    return date !== undefined && isYear(Number(date.slice(0, 4)));
  };
  if (/^[\d.,]+$/.test(text)) {
    const plain = plainNumber(text, reads);
    if (plain) return plain;
  }
  const numbers = /^(\d{1,4})([-/. ]|\. )(\d{1,2})([-/. ]|\. )(\d{1,4})\.?$/.exec(text);
  if (numbers) return numberDate(numbers, isYear);
  if (/^\d{4}-\d{2}-\d{2}[T ]\d/i.test(text) && reads("iso")) return day("iso");
  const format = monthFormat(text) ?? quarterFormat(text) ?? weekFormat(text) ?? eastAsianFormat(text);
  if (format !== undefined && reads(format)) return /[dE]/.test(format) ? day(format) : month(format);
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

function eastAsianFormat(text: string): string | undefined {
  if (/^\d{4}年\d{1,2}月\d{1,2}日$/.test(text)) return "yyyy'年'M'月'd'日'";
  const korean = /^\d{4}년( ?)\d{1,2}월( ?)\d{1,2}일$/.exec(text);
  return korean ? `yyyy'년'${korean[1]}M'월'${korean[2]}d'일'` : undefined;
}

/** A week of ISO 8601, or a day of it. */
const weekFormat = (text: string): string | undefined =>
  /^\d{4}-W\d{2}(?:-[1-7])?$/.test(text) ? `kkkk-'W'WW${text.length > 8 ? "-E" : ""}` : undefined;

/** Years are not seconds, and numbers of months are not serial numbers of spreadsheets: the number of digits decides. */
function plainNumber(text: string, reads: (format: string) => boolean): Written | undefined {
  const [digits = "", fraction] = text.split(/[.,]/);
  const isWhole = fraction === undefined;
  const formats: Record<number, Written> = {
    4: { format: "yyyy", precision: 0 },
    6: month("yyyyMM"),
    8: day("yyyyMMdd"),
    12: day(reads("yyyyMMddHHmm") ? "yyyyMMddHHmm" : "unix_ms"),
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

const graphemes = new Intl.Segmenter();

/** The letters of a format that are a text of their own are put in quotes. */
function monthFormat(text: string): string | undefined {
  const words = text.match(/\p{L}+/gu) ?? [];
  const digits = text.match(/\d+/g) ?? [];
  if (words.length !== 1 || words[0].length < 3 || monthOf(words[0]) === undefined) return undefined;
  if (digits.length === 0 || digits.length > 2) return undefined;
  const isLong = [...graphemes.segment(words[0])].length > 3 && !/^sept$/i.test(words[0]);
  const years = digits.filter((each) => each.length === 4);
  if (years.length > 1 || digits.some((each) => each.length === 3 || each.length > 4)) return undefined;
  // `13 Jan` and `Jan 13` are days without a year, and `Jan-13` is a month.
  if (digits.length === 1 && years.length === 0 && !/^\p{L}+\.?[-/]\d{2}$/u.test(text)) return undefined;
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
