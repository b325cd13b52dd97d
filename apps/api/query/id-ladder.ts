import type { estypes } from "@elastic/elasticsearch";
import { byCodePoint } from "@tranche/shared/text/order";
import { type IdSpan, range, type Span } from "./span.ts";

/**
 * Rows of one value, or of none, are ordered by id. Ids have no steps to count by, whatever they look like; so some of them are
 * drawn, and counted between. What is drawn only says how even the spans are: the counts are exact.
 */
const DRAWN = 255;

/** The search that draws ids of rows which `query` finds. */
export function idsDrawn(query: estypes.QueryDslQueryContainer, idField: string): estypes.SearchRequest {
  const score: estypes.QueryDslFunctionScoreQuery = {
    query,
    functions: [{ random_score: { seed: 1, field: "_seq_no" } }],
    boost_mode: "replace",
  };
  return {
    query: { function_score: score },
    size: DRAWN,
    track_total_hits: false,
    _source: [idField],
  };
}

/** Spans between ids that were drawn among the rows of a span; their counts are still to be made. */
export function idSpans(outer: Span, drawn: readonly string[]): IdSpan[] {
  const { group, ids } = "ids" in outer ? outer : { group: outer, ids: { from: null, to: null } };
  const bounds = [ids.from, ...[...new Set(drawn)].toSorted(byCodePoint), ids.to];
  return bounds.slice(1).map((to, i) => ({ group, ids: { from: bounds[i]!, to }, count: 0 }));
}

/** The aggregation `spans` that counts them. */
export function idSpansAggregation(
  spans: readonly IdSpan[],
  idField: string,
): estypes.AggregationsAggregationContainer {
  return { filters: { filters: spans.map(({ ids }) => range(idField, ids.from, ids.to)) } };
}

/** The spans with the counts of an answer, those that have rows. */
export function idSpansOf(spans: readonly IdSpan[], answer: estypes.AggregationsAggregate): IdSpan[] {
  const { buckets } = answer as unknown as { buckets: { doc_count: number }[] };
  return spans.map((span, i) => ({ ...span, count: buckets[i]!.doc_count })).filter(({ count }) => count > 0);
}
