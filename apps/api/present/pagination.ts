import type { Page } from "@tranche/read-models/query/list-query";

export type Pagination = {
  count: number;
  limit: number;
  /** Null for a page after a cursor. */
  offset: number | null;
  has_more: boolean;
  next_cursor: string | null;
};

/** Where a page is in its list; `count` is the exact number of all rows, `next` the cursor of the next page if rows follow. */
export function pagination(count: number, { limit, offset, after }: Page, next: string | undefined): Pagination {
  const has_more = next !== undefined;
  return { count, limit, offset: after ? null : offset, has_more, next_cursor: next ?? null };
}
