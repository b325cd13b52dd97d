import type { estypes } from "@elastic/elasticsearch";
import type { Counts } from "../cache/counts.ts";
import type { Remembered } from "../cache/remembered.ts";
import { canNarrow, placeOf, type Span, spansAggregation, spansOf, within } from "../query/ladder.ts";
import { type AllOf, listQuery, type ListSearch } from "../query/list-query.ts";
import type { Search } from "./search.ts";

/** Pages whose offset is up to this are walked to; further ones are found by counting. */
const WALKED = 500;

export type PageRequest = ListSearch & { generation: string | undefined };

/** One page of a list and the exact count of all its rows. */
export type Pager = <T>(index: string, request: PageRequest) => Promise<{ documents: T[]; count: number }>;

export type Ladder = { spans: Span[]; /** All rows, those without a value too. */ count: number };

/** `counts` and `ladders` keep what was counted for as long as nothing in the index changes. */
export function createPager(parts: {
  search: Search;
  counts: Counts;
  ladders: Remembered<Ladder>;
  walked?: number;
}): Pager {
  const { search, counts, ladders, walked = WALKED } = parts;

  const spansIn = (index: string, request: PageRequest, span?: Span): Promise<Ladder> => {
    const { order, generation } = request;
    const key = JSON.stringify([index, request.filters, order.field, span]);
    return ladders(generation, key, async () => {
      const base = listQuery({ ...request, page: { limit: 0, offset: 0 }, counted: span === undefined });
      const answer = await search(index, {
        query: span ? also(base.query, within(order.field, span)) : base.query,
        size: 0,
        track_total_hits: span === undefined,
        aggs: { spans: spansAggregation(order.by, order.field, span) },
      });
      return { spans: spansOf(order.by, answer.aggregations.spans!, span), count: answer.count };
    });
  };

  const walk = async <T>(index: string, request: PageRequest) => {
    const key = JSON.stringify([index, request.filters]);
    const known = counts.get(request.generation, key);
    const found = await search<T>(index, listQuery({ ...request, counted: known === undefined }));
    const count = known ?? found.count;
    counts.set(request.generation, key, count);
    return { documents: found.documents, count };
  };

  const jump = async <T>(index: string, request: PageRequest) => {
    const { order, page } = request;
    const { spans, count } = await spansIn(index, request);
    if (page.offset >= count) return { documents: [], count };

    let place = placeOf(spans, order.direction, page.offset, page.limit);
    while (place && canNarrow(order.by, place.first)) {
      const narrower = (await spansIn(index, request, place.first)).spans;
      const inside = placeOf(narrower, order.direction, place.skip, page.limit);
      if (!inside) break;
      // A page that the narrower spans can't fill reaches on to where it reached before.
      const filled = sumOf(narrower) - place.skip >= page.limit;
      place = { ...inside, last: filled ? inside.last : place.last };
    }

    const withValue = sumOf(spans);
    const base = listQuery({
      ...request,
      page: { limit: page.limit, offset: place ? place.skip : page.offset - withValue },
      counted: false,
    });
    const missing: estypes.QueryDslQueryContainer = { bool: { must_not: { exists: { field: order.field } } } };
    const clauses: estypes.QueryDslQueryContainer[] = [
      ...(place ? [within(order.field, place.first, place.last, order.direction)] : []),
      ...(page.offset + page.limit > withValue ? [missing] : []),
    ];
    const clause = clauses.length === 1 ? clauses[0]! : { bool: { should: clauses, minimum_should_match: 1 } };
    const found = await search<T>(index, { ...base, query: also(base.query, clause) });
    return { documents: found.documents, count };
  };

  return (index, request) => (request.page.offset <= walked ? walk(index, request) : jump(index, request));
}

const sumOf = (spans: readonly Span[]): number => spans.reduce((sum, span) => sum + span.count, 0);

function also(query: AllOf, clause: estypes.QueryDslQueryContainer): AllOf {
  return { bool: { filter: [...query.bool.filter, clause] } };
}
