import { keyOf } from "@tranche/shared/text/key";
import { dateReader } from "../mapping/date.ts";

/** Formats that are tried; `precision` 2 for a day, 1 for a month, 0 for a year. */
const FORMATS: readonly [string, number][] = [
  ["yyyy-MM-dd", 2],
  ["dd/MM/yyyy", 2],
  ["MM/dd/yyyy", 2],
  ["d/M/yyyy", 2],
  ["M/d/yyyy", 2],
  ["M/d/yy", 2],
  ["dd.MM.yyyy", 2],
  ["d.M.yyyy", 2],
  ["dd-MM-yyyy", 2],
  ["MM-dd-yyyy", 2],
  ["yyyy/MM/dd", 2],
  ["MMM d, yyyy", 2],
  ["MMMM d, yyyy", 2],
  ["d MMM yyyy", 2],
  ["d MMMM yyyy", 2],
  ["d-MMM-yy", 2],
  ["d-MMM-yyyy", 2],
  ["yyyy-MM-dd HH:mm:ss", 2],
  ["yyyy-MM-dd'T'HH:mm:ss", 2],
  ["yyyy-MM-dd'T'HH:mm:ssZZ", 2],
  ["yyyy-MM-dd'T'HH:mm:ss'Z'", 2],
  ["yyyyMMdd", 2],
  ["unix", 2],
  ["unix_ms", 2],
  ["yyyy-MM", 1],
  ["MM/yyyy", 1],
  ["MM.yyyy", 1],
  ["MMM yyyy", 1],
  ["MMMM yyyy", 1],
  ["yyyy", 0],
];

const SAMPLED = 300;
const MAX_FORMATS = 3;
/** A further format has to read so much of the texts. */
const MORE_FROM = 0.005;

/**
 * The formats that read most of the texts, best first, with the share that each reads. If day and month could be swapped, the
 * column's name decides (`mm/dd`), then the unambiguous dates, then day first.
 */
export function dateFormats(
  texts: readonly string[],
  name: string,
): { formats: string[]; share: number; precision: number } {
  const sampled = texts.slice(0, SAMPLED);
  const monthFirst = /mm-dd/.test(keyOf(name));
  const tried = FORMATS.map(([format, precision]) => {
    const read = dateReader([format]);
    return { format, precision, reads: new Set(sampled.filter((text) => read(text) !== undefined)) };
  });
  if (monthFirst) tried.sort((a, b) => Number(b.format.startsWith("M")) - Number(a.format.startsWith("M")));
  const formats: typeof tried = [];
  let left = sampled;
  while (formats.length < MAX_FORMATS && left.length > 0) {
    const counted = tried.map((one) => ({ one, count: left.filter((text) => one.reads.has(text)).length }));
    const best = counted.reduce((a, b) => (b.count > a.count ? b : a));
    if (best.count <= MORE_FROM * sampled.length) break;
    formats.push(best.one);
    left = left.filter((text) => !best.one.reads.has(text));
  }
  return {
    formats: formats.map(({ format }) => format),
    share: sampled.length === 0 ? 0 : 1 - left.length / sampled.length,
    precision: formats[0]?.precision ?? -1,
  };
}
