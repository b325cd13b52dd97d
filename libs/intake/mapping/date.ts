import { closest } from "@tranche/shared/domain/text/closest";
import { DateTime } from "luxon";
import { withEnglishMonth } from "./month-names.ts";

/** The tokens that Luxon reads, without its localised macros (`D`, `tt`): `DD` in a mapping is always a mistyped `dd`. */
const TOKENS =
  "G GG y yy yyyy yyyyy yyyyyy M MM MMM MMMM L LL LLL LLLL d dd o ooo H HH h hh m mm q qq s ss S SSS u uu uuu a kkkk kk W WW E c EEE EEEE ccc cccc Z ZZ ZZZ z".split(
    " ",
  );
const UNIX: Readonly<Record<string, number>> = { unix: 1000, unix_ms: 1 };
/** Notations that no tokens describe. */
const NAMED: Readonly<Record<string, (text: string) => DateTime | undefined>> = {
  unix: (text) => unixDate(text, UNIX["unix"]!),
  unix_ms: (text) => unixDate(text, UNIX["unix_ms"]!),
  excel: excelDate,
  iso: isoDate,
};
/** Numbers outside are not times of these units: 1,380,585,600 is a second of 2013, or a millisecond of 1970. */
const UNIX_YEARS = { first: 1900, last: 2200 };

/** Formats that no date could be read by, with the reason; undefined when it is fine. */
export function dateFormatProblem(format: string): string | undefined {
  if (format in NAMED) return undefined;
  const tokens = format.replace(/'[^']*'/g, " ").match(/([a-z])\1*/gi) ?? [];
  for (const token of tokens) {
    if (TOKENS.includes(token)) continue;
    const near = closestToken(token);
    return `'${token}' is not a date token${near ? `, did you mean '${near}'?` : ` (put text in quotes: '${token}')`}. See the table of tokens of Luxon`;
  }
  const has = (letters: string) => tokens.some((token) => letters.includes(token[0]!));
  if (!has("yk")) return "has no year (yyyy)";
  if (has("d") && !has("ML"))
    return has("m") ? "'mm' are minutes; months are 'MM'" : "has a day (dd) but no month (MM)";
  return undefined;
}

function closestToken(token: string): string | undefined {
  const lower = token.toLowerCase();
  if (TOKENS.includes(lower)) return lower;
  return lower.length > 2
    ? closest(
        token,
        TOKENS.filter((known) => known.length > 2),
      )
    : undefined;
}

/** A date as YYYY-MM-DD. `isWhole`: the text says the day, and not only a month, a quarter or a year. */
type ReadDate = { day: string; isWhole: boolean };

/**
 * A reader of dates in any of the formats; undefined when none fits. The first that fits counts, strictly. Names of months may also be
 * in other languages than English.
 */
export function wholeDateReader(formats: readonly string[]): (text: string) => ReadDate | undefined {
  const readers = formats.map((format) => {
    const named = NAMED[format];
    if (named !== undefined) return { read: named, isWhole: true };
    const parser = DateTime.buildFormatParser(format, { locale: "en" });
    const read = (text: string) => DateTime.fromFormatParser(text, parser, { zone: "utc", locale: "en" });
    return { read, isWhole: /[docE]/.test(format.replace(/'[^']*'/g, "")) };
  });
  const readFirst = (text: string) => {
    for (const { read, isWhole } of readers) {
      const date = read(text);
      if (date?.isValid) return { day: date.toISODate()!, isWhole };
    }
    return undefined;
  };
  return (written) => {
    const text = written.normalize("NFKC");
    const date = readFirst(text);
    if (date !== undefined || !/\p{L}{3}/u.test(text)) return date;
    for (const length of ["long", "short"] as const) {
      const translated = readFirst(withEnglishMonth(text, length));
      if (translated !== undefined) return translated;
    }
    return undefined;
  };
}

/** A reader of dates as YYYY-MM-DD. */
export function dateReader(formats: readonly string[]): (text: string) => string | undefined {
  const read = wholeDateReader(formats);
  return (text) => read(text)?.day;
}

function unixDate(text: string, milliseconds: number): DateTime | undefined {
  if (!/^-?\d{1,14}(?:\.\d{1,9})?$/.test(text)) return undefined;
  const date = DateTime.fromMillis(Number(text) * milliseconds, { zone: "utc" });
  return date.year >= UNIX_YEARS.first && date.year <= UNIX_YEARS.last ? date : undefined;
}

/** Spreadsheets count days since 1899-12-30; the fraction is the time. */
function excelDate(text: string): DateTime | undefined {
  if (!/^\d{5}(?:[.,]\d{1,15})?$/.test(text)) return undefined;
  return DateTime.utc(1899, 12, 30).plus({ days: Number(text.slice(0, 5)) });
}

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:[.,]\d{1,9})?)? ?(?:Z|UTC|GMT|([+-])(\d{2}):?(\d{2})?)?)?$/i;

/** A day, maybe with a time; with an offset it is the day in UTC. */
function isoDate(text: string): DateTime | undefined {
  const found = ISO.exec(text);
  if (!found) return undefined;
  const [year, month, day, hour, minute] = found.slice(1, 6).map((digits) => Number(digits ?? 0));
  const offset = (Number(found[7] ?? 0) * 60 + Number(found[8] ?? 0)) * (found[6] === "-" ? -1 : 1);
  return DateTime.utc(year!, month!, day!, hour!, minute!).minus({ minutes: offset });
}
