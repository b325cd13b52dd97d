import { boundsOf, type IdRange, rangesOf } from "@tranche/shared/engines/search/id-ranges";
import type { PointInTime } from "../search/point-in-time.ts";
import { type ExportSearch, exportSample } from "../query/export.ts";

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
export async function cutIntoRanges(
  pointInTime: Pick<PointInTime, "sortValues">,
  search: ExportSearch,
  count: number,
  signal: AbortSignal,
): Promise<IdRange[]> {
  const ranges = Math.min(MOST_SAMPLES / SAMPLES_PER_RANGE, Math.ceil(count / ROWS_PER_RANGE));
  const found = await pointInTime.sortValues(exportSample(search, ranges * SAMPLES_PER_RANGE), signal);
  const sample = found.map(([, id]) => String(id));
  return rangesOf(boundsOf(sample, ranges));
}
