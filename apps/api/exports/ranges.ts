import { byCodePoint } from "@tranche/shared/domain/text/order";
import type { PointInTime } from "../search/point-in-time.ts";
import { type ExportSearch, exportSample, type IdRange } from "../query/export.ts";

/** Rows of one range: Elasticsearch looks at all of them for each page, and at all their ids once. */
const ROWS_PER_RANGE = 10_000;
/** So many that the largest range has at most about twice the rows of the average one. */
const SAMPLES_PER_RANGE = 20;
/** Elasticsearch finds no more in one search. */
const MOST_SAMPLES = 10_000;

/**
 * Ranges of ids that together have every row of an export, in order, each about as many. Without them every page reads all rows that are
 * left, because rows are not stored in the order of their ids.
 */
export async function rangesOf(
  pointInTime: Pick<PointInTime, "sortValues">,
  search: ExportSearch,
  count: number,
  signal: AbortSignal,
): Promise<IdRange[]> {
  const samples = Math.min(MOST_SAMPLES, Math.ceil((count / ROWS_PER_RANGE) * SAMPLES_PER_RANGE));
  const found = await pointInTime.sortValues(exportSample(search, samples), signal);
  return rangesBetween(found.map(([, id]) => String(id)));
}

/** The ranges that end at each so-many-th of the sampled ids. */
export function rangesBetween(sample: readonly string[]): IdRange[] {
  const bounds = sample.toSorted(byCodePoint).filter((_, n) => n % SAMPLES_PER_RANGE === SAMPLES_PER_RANGE - 1);
  return [...bounds, undefined].map((upTo, n) => ({ after: bounds[n - 1], upTo }));
}
