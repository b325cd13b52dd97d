import type { estypes } from "@elastic/elasticsearch";
import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import { clauses, type Filter } from "@tranche/read-models/query/filters";

const CHANGED: keyof ChangeTickets = "changed";

/**
 * The search for the documents that match the filters and changed last, the newest first. `horizon`: a ticket in µs; what changed
 * after it is not complete yet.
 */
export function newestChanges(
  { filters, idField, source }: { filters: readonly Filter[]; idField: string; source: readonly string[] },
  { size, horizon }: { size: number; horizon: number },
): estypes.SearchRequest {
  return {
    query: { bool: { filter: [...clauses(filters), { range: { [CHANGED]: { lte: horizon } } }] } },
    sort: [{ [CHANGED]: { order: "desc" } }, { [idField]: { order: "asc" } }],
    size,
    track_total_hits: false,
    _source: [...source],
  };
}
