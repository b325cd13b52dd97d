import type { estypes } from "@elastic/elasticsearch";
import { also, listQuery } from "@tranche/read-models/query/list-query";
import type { RowPosition } from "@tranche/read-models/query/row-position";
import type { Search } from "../search/search.ts";
import type { Counts } from "./counts.ts";
import type { EndCondition } from "./end-after.ts";
import type { Guess } from "./guess.ts";
import { type PageRequest, type PageResult, pageResult } from "./page.ts";

type Parts = { search: Search; counts: Counts; guess: Guess };

/**
 * Pages right after a row. A search after a position costs as much as there are rows that are equal by value, or that are in the way
 * of the order. So it gets a guessed end. When the rows before the end do not fill the page, the search is made without it.
 */
export function createContinue({ search, counts, guess }: Parts) {
  /** Cursors cut long values. Returns the position with the full value, or the cut one if the row is gone. */
  const whole = async (
    index: string,
    { order, idField, left }: PageRequest,
    position: RowPosition,
  ): Promise<RowPosition> => {
    const { value, id, cut } = position;
    if (!cut) return position;
    const request = { query: { term: { [idField]: id } }, size: 1, track_total_hits: false, _source: [order.field] };
    const [row] = (await search<Record<string, unknown>>(index, request, left)).documents;
    const now = row?.[order.field];
    return { value: typeof now === "string" && now.startsWith(String(value)) ? now : value, id };
  };

  return async <T>(index: string, asked: PageRequest, position: RowPosition): Promise<PageResult<T>> => {
    const [count, after] = await Promise.all([counts.counted(index, asked), whole(index, asked, position)]);
    const {
      left,
      page: { limit },
    } = asked;
    // One row more shows whether rows follow.
    const request = { ...asked, page: { limit: limit + 1, offset: 0, after }, counted: false };
    const isFull = ({ documents }: { documents: T[] }) => documents.length > limit;
    const { query, ...rest } = listQuery(request);

    const end = await guess(index, request, { rows: limit + 1, count, after });
    const near = end && (await search<T>(index, { ...begin(rest, end), query: also(query, end.query) }, left));
    const found = near && isFull(near) ? near : await search<T>(index, { ...rest, query }, left);
    const page = {
      documents: found.documents.slice(0, limit),
      ids: found.ids.slice(0, limit),
      sorted: found.sorted.slice(0, limit),
    };
    return pageResult(page, request, count, isFull(found));
  };
}

/** A search of the rows before an end. By the id, `search_after` costs more than a condition. */
function begin(
  { search_after, ...rest }: estypes.SearchRequest,
  { afterPosition }: EndCondition,
): estypes.SearchRequest {
  return afterPosition || search_after === undefined ? rest : { ...rest, search_after };
}
