import type { ListSearch, Page } from "@tranche/read-models/query/list-query";
import { type RowPosition, positionOf } from "@tranche/read-models/query/row-position";
import type { Generation } from "../serve/generation.ts";
import type { SearchResult } from "../search/search.ts";

/** A page of a list that is wanted, and the generation in which it is searched. `left` cancels the search. */
export type PageRequest = ListSearch & { generation: Generation | undefined; left?: AbortSignal };

/**
 * One page of a list and the exact count of all its rows. `ids`: of the documents. `next`: the position of the page's last row, after
 * which the next page begins; undefined when no row follows.
 */
export type PageResult<T> = { documents: T[]; ids: string[]; count: number; next: RowPosition | undefined };

/** How many rows a page of a list of `count` rows has. */
export const rowsOf = ({ limit, offset }: Page, count: number): number => Math.max(0, Math.min(limit, count - offset));

/** A page that was found. `more`: whether rows follow. */
export function pageResult<T>(
  { documents, ids, sorted }: Pick<SearchResult<T>, "documents" | "ids" | "sorted">,
  { order }: PageRequest,
  count: number,
  more: boolean,
): PageResult<T> {
  const last = sorted.at(-1);
  return { documents, ids, count, next: more && last ? positionOf(order, last) : undefined };
}
