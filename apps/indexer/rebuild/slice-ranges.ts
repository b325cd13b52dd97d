import { byCodePoint } from "@tranche/shared/domain/text/order";
import type { IdRange } from "../pipeline/pages.ts";

/** Records per slice of a large installation: some seconds of work, which is what a killed indexer holds up at most. */
const SLICE_SIZE = 10_000;
/** As many slices are made at least, so that several indexers share a small installation … */
const LEAST_SLICES = 16;
/** … and at most: each slice has a document of its own. */
const MOST_SLICES = 256;

/** The number of slices for this number of records, none of them smaller than a page. */
export function sliceCount(records: number, pageSize: number): number {
  const pages = Math.max(1, Math.ceil(records / pageSize));
  return Math.min(pages, MOST_SLICES, Math.max(LEAST_SLICES, Math.ceil(records / SLICE_SIZE)));
}

/** The ids at which slices end, so that each has about as many of the sampled ids. The last slice has no end. */
export function boundsOf(sample: readonly string[], slices: number): string[] {
  const sorted = sample.toSorted(byCodePoint);
  const bounds = Array.from({ length: slices - 1 }, (_, n) => sorted[Math.floor(((n + 1) * sorted.length) / slices)]);
  return [...new Set(bounds.filter((bound) => bound !== undefined))];
}

/** The slices between bounds: together they have every id, each once. */
export function rangesOf(bounds: readonly string[]): IdRange[] {
  return [null, ...bounds].map((after, n) => ({ after, last: bounds[n] ?? null }));
}
