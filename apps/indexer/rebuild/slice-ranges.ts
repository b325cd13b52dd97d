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
