import type { estypes } from "@elastic/elasticsearch";
import { type Generation, History } from "../cache/history.ts";
import type { Kept } from "../cache/kept.ts";
import type { Remembered } from "../cache/remembered.ts";
import { idsDrawn, idSpans, idSpansAggregation, idSpansOf } from "../query/id-ladder.ts";
import { narrowing, SHORT, spansAggregation, spansOf } from "../query/ladder.ts";
import { type AllOf, listQuery, type ListSearch, type Page } from "../query/list-query.ts";
import { reachOf } from "../query/reach.ts";
import { inOrder, type Place, placeOf, range, type Span, sumOf, type ValueSpan, within } from "../query/span.ts";
import type { Answer, Search } from "./search.ts";

/** Pages whose offset is up to this are walked to; further ones are found by counting. */
const WALKED = 500;
/** In place of a generation, for what need not be of the present one. */
const GUESSED = new History().add("guessed", undefined);

export type PageRequest = ListSearch & { generation: Generation | undefined };

/** One page of a list and the exact count of all its rows. */
export type Pager = <T>(index: string, request: PageRequest) => Promise<Found<T>>;
/** `ids`: of the documents. */
export type Found<T> = { documents: T[]; ids: string[]; count: number };

/** What was counted of a list or of one span of it; values ascending, then ids, rows without a value last. */
export type Ladder = { spans: Span[]; count: number };

/**
 * `counts` and `ladders` keep what was counted for as long as changes do not touch it; counts are counted on. `walked`, `short`: for
 * tests, that find every row by counting.
 */
export function createPager(parts: {
  search: Search;
  counts: Kept<number>;
  ladders: Remembered<Ladder>;
  walked?: number;
  short?: number;
}): Pager {
  const { search, counts, ladders, walked = WALKED, short = SHORT } = parts;

  const ladderOf = (index: string, request: PageRequest): Promise<Ladder> => {
    const { order, generation, filters } = request;
    return ladders(generation, JSON.stringify([index, filters, order.field]), async () => {
      const { query } = listQuery(request);
      const aggs = { spans: spansAggregation(order.by, order.field) };
      const answer = await search(index, { query, size: 0, track_total_hits: true, aggs });
      const spans = spansOf(order.by, answer.aggregations.spans!);
      const missing = answer.count - sumOf(spans);
      const all: Span[] = missing > 0 ? [...spans, { missing: true, count: missing }] : spans;
      return { value: { spans: all, count: answer.count }, watch: { filters, ids: [], order: order.field } };
    });
  };

  /** A span of a list in narrower ones; undefined where it is to be walked through. */
  const narrowed = async (index: string, request: PageRequest, span: Span): Promise<Ladder | undefined> => {
    const { order, idField, generation, filters } = request;
    const by = narrowing(order.by, span, short);
    if (by === undefined) return undefined;
    return ladders(generation, JSON.stringify([index, filters, order.field, span]), async () => {
      const query = also(listQuery(request).query, within([span], request));
      const made = (spans: Span[]) => ({
        value: { spans, count: span.count },
        watch: { filters, ids: [], order: order.field },
      });
      const count = async (aggregation: estypes.AggregationsAggregationContainer) => {
        const answer = await search(index, { query, size: 0, track_total_hits: false, aggs: { spans: aggregation } });
        return answer.aggregations.spans!;
      };
      if (by === "values") {
        const outer = span as ValueSpan;
        const answer = await count(spansAggregation(order.by, order.field, outer));
        return made(spansOf(order.by, answer, outer));
      }
      const drawn = await search<Record<string, string>>(index, idsDrawn(query, idField));
      const uncounted = idSpans(
        span,
        drawn.documents.map((document) => document[idField]!),
      );
      return made(idSpansOf(uncounted, await count(idSpansAggregation(uncounted, idField))));
    });
  };

  /** The place of the row behind `offset` others, in the narrowest spans; undefined when there is no such row. */
  const located = async (
    index: string,
    request: PageRequest,
    spans: readonly Span[],
    offset: number,
  ): Promise<Place | undefined> => {
    const place = placeOf(spans, offset, request.page.limit);
    const narrower = place && (await narrowed(index, request, place.spans[0]!));
    const inside = narrower && (await located(index, request, inOrder(narrower.spans, request.order), place.skip));
    if (!inside || inside.full) return inside ?? place;
    // A page that narrower spans can't fill goes on where it went on before.
    return { ...inside, spans: [...inside.spans, ...place.spans.slice(1)], full: place.full };
  };

  /** The count of all rows of a list: known, or to be kept. */
  const countOf = (index: string, { generation, filters }: PageRequest) => {
    const key = JSON.stringify([index, filters]);
    return {
      known: counts.get(generation, key),
      keep: (count: number) => counts.set(generation, key, count, { filters, ids: [] }),
    };
  };

  const walk = async <T>(index: string, request: PageRequest) => {
    const { known, keep } = countOf(index, request);
    if (known !== undefined) {
      const found = await search<T>(index, listQuery({ ...request, counted: false }));
      if (found.documents.length === rowsOf(request.page, known)) return foundOf(found, known);
      // What is announced next can be seen already.
    }
    const found = await search<T>(index, listQuery(request));
    keep(found.count);
    return foundOf(found, found.count);
  };

  /** Exact as well, for it counts the rows; undefined where they end further down than was guessed. */
  const near = async <T>(index: string, request: PageRequest) => {
    const { order, page, generation } = request;
    if (generation === undefined) return undefined;
    const { query, ...rest } = listQuery({ ...request, counted: false });
    const { known, keep } = countOf(index, request);
    const count = known ?? (await search(index, { query, size: 0, track_total_hits: true })).count;
    if (known === undefined) keep(count);
    if (count <= short) return walk<T>(index, request);
    // What a guess is made of may be of before.
    const all = await ladderOf(index, { ...request, filters: [], generation: GUESSED });
    const end = reachOf(all.spans, request, count);
    if (end === undefined) return undefined;
    const found = await search<T>(index, { ...rest, query: also(query, range(order.field, null, end)) });
    return found.documents.length >= rowsOf(page, count) ? foundOf(found, count) : undefined;
  };

  const jump = async <T>(index: string, request: PageRequest) => {
    const { order, page } = request;
    const { spans, count } = await ladderOf(index, request);
    const place = await located(index, request, inOrder(spans, order), page.offset);
    if (!place) return { documents: [], ids: [], count };

    const base = listQuery({ ...request, page: { limit: page.limit, offset: place.skip }, counted: false });
    const found = await search<T>(index, {
      ...base,
      query: also(base.query, within(place.spans, request)),
    });
    return foundOf(found, count);
  };

  return async <T>(index: string, request: PageRequest) => {
    const { order, page } = request;
    if (page.offset > walked) return jump<T>(index, request);
    if (!order.against) return walk<T>(index, request);
    return (await near<T>(index, request)) ?? jump<T>(index, request);
  };
}

/** How many rows a page has when all rows are so many. */
const rowsOf = ({ limit, offset }: Page, count: number): number => Math.max(0, Math.min(limit, count - offset));

const foundOf = <T>({ documents, ids }: Answer<T>, count: number): Found<T> => ({ documents, ids, count });

function also(query: AllOf, clause: estypes.QueryDslQueryContainer): AllOf {
  return { bool: { filter: [...query.bool.filter, clause] } };
}
