import type { Params } from "../request/params.ts";

/** A group of the statistics: what it counts, and the filters that select it. */
export type Group = {
  key: string | null;
  name: string | null;
  /** Of a company or an investor. */
  id: string | null;
  filters: Record<string, string | number | boolean> | null;
  count: number;
  total_amount_usd?: number | null;
  average_score?: number | null;
};
/** The totals of all groups. */
export type Total = { count: number; total_amount_usd?: number | null };
/** Statistics by one dimension. */
export type Stats = { data: Group[]; total: Total };

const MOST_GROUPS = 12;

/** The request for one dimension. Months are not left out, so that the line has no holes. */
export const statsQuery = (dimension: string): Params => [
  ["group_by", dimension],
  ["limit", dimension === "month" || dimension === "score_band" ? "1000" : String(MOST_GROUPS)],
];
