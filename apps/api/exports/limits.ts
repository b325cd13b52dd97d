/** What bounds an export. Times in ms. */
export type ExportLimits = {
  /** Rows of one search. More would take memory, fewer would make Elasticsearch sort more often. */
  pageRows: number;
  /** Exports of so many rows are read in ranges of ids. For fewer, a page takes less time than to find the ids of a range. */
  rangesFrom: number;
  /** A reader that takes less than a page in this time is cut off. */
  pageWithinMs: number;
  /** Every export ends within this time. */
  exportWithinMs: number;
};
export const EXPORT_LIMITS: ExportLimits = {
  pageRows: 1000,
  rangesFrom: 500_000,
  pageWithinMs: 60_000,
  exportWithinMs: 3_600_000,
};
