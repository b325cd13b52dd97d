import type { estypes } from "@elastic/elasticsearch";
import type { Search } from "../../apps/api/search/search.ts";
import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import { anyOf } from "@tranche/read-models/query/filters";
import type { Order } from "@tranche/read-models/query/order";
import { byCodePoint } from "@tranche/shared/domain/text/order";

export type Row = { company_id: string; signal_score: number; country: string };

/** By ascending score, against the order of the index. */
export const ASCENDING: Order = { field: "signal_score", direction: "asc", by: "points", against: true };
/** The same order, as if the index were sorted by it. */
export const WITH_IT: Order = { field: "signal_score", direction: "asc", by: "points" };
/** The filter of German rows. */
export const GERMAN = anyOf<CompanyDocument>("country", ["DE"]);

/** So many rows of each country and score. */
export const rowsOf = (...parts: [country: string, score: number, count: number][]): Row[] =>
  parts.flatMap(([country, signal_score, count]) =>
    Array.from({ length: count }, (_, n) => {
      const company_id = `${country}-${signal_score}-${String(n).padStart(6, "0")}`;
      return { company_id, signal_score, country };
    }),
  );

/** Whether a row meets a query of filters. */
export function meets(row: Row, { bool, function_score, range, terms }: estypes.QueryDslQueryContainer = {}): boolean {
  if (function_score) return meets(row, (function_score as estypes.QueryDslFunctionScoreQuery).query);
  if (bool?.should) return [bool.should].flat().some((each) => meets(row, each));
  if (bool) return [bool.filter ?? []].flat().every((each) => meets(row, each));
  const [[field, wanted]] = Object.entries(range ?? terms ?? {}) as [[keyof Row, unknown]];
  const value = row[field];
  if (terms) return (wanted as unknown[]).includes(value);
  const bounds = wanted as Partial<Record<"gte" | "lte" | "gt" | "lt", typeof value>>;
  const { gte = value, lte = value, gt, lt } = bounds;
  return value >= gte && value <= lte && (gt === undefined || value > gt) && (lt === undefined || value < lt);
}

type Place = Pick<Row, "company_id" | "signal_score">;
export const compare = (a: Place, b: Place): number =>
  a.signal_score - b.signal_score || byCodePoint(a.company_id, b.company_id);
export const inOrder = (rows: readonly Row[]): Row[] => rows.toSorted(compare);

/** Searches rows in this order as Elasticsearch does, and notes what for. `rowsAt`: the rows that the search of this number sees. */
export function engineOfRows(rowsAt: (search: number) => readonly Row[]) {
  const asked: string[] = [];
  const search = (async (_index: string, request: estypes.SearchRequest) => {
    const { query, from, size, aggs, search_after, track_total_hits } = request;
    const rows = inOrder(rowsAt(asked.length).filter((row) => meets(row, query)));
    const kind = aggs ? Object.keys(aggs["buckets"]!)[0]! : size === 0 ? "count" : "rows";
    asked.push(kind === "rows" && track_total_hits !== false ? `rows and count up to ${track_total_hits}` : kind);
    const most = track_total_hits === true ? Infinity : Number(track_total_hits);
    const [signal_score, company_id] = (search_after ?? [-1, ""]) as [number, string];
    const after = rows.filter((row) => compare(row, { signal_score, company_id }) > 0);
    const found = after.slice(from ?? 0, (from ?? 0) + size!);
    const scores = Map.groupBy(rows, (row) => row.signal_score);
    const { filters } = aggs?.["buckets"]?.filters ?? {};
    const buckets = filters
      ? (filters as object[]).map((each) => ({ doc_count: rows.filter((row) => meets(row, each)).length }))
      : [...scores].map(([key, { length }]) => ({ key, doc_count: length }));
    return {
      count: Math.min(rows.length, most),
      more: rows.length > most,
      documents: found,
      ids: found.map((row) => row.company_id),
      sorted: found.map((row) => [row.signal_score, row.company_id]),
      aggregations: { buckets: { buckets } },
    };
  }) as unknown as Search;
  return { search, asked };
}
