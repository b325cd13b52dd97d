import type { Page } from "@tranche/read-models/query/list-query";

export type Pagination = { count: number; limit: number; offset: number; has_more: boolean };

/** The position of a page in its list; `count` is the exact number of all rows. */
export function pagination(count: number, { limit, offset }: Page): Pagination {
  return { count, limit, offset, has_more: offset + limit < count };
}
