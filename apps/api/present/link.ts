import type { Page } from "@tranche/read-models/query/list-query";

/**
 * The Link header (RFC 8288): `first`, and `prev` and `next` where there are rows. `query` is the request's query string
 * without `limit` and `offset`; `limit` is written when the request had one.
 */
export function linkHeader(path: string, query: string, page: Page, count: number, withLimit: boolean): string {
  const link = (rel: string, offset: number) => {
    const parameters = [query, withLimit ? `limit=${page.limit}` : "", offset > 0 ? `offset=${offset}` : ""];
    const search = parameters.filter((part) => part !== "").join("&");
    return `<${path}${search === "" ? "" : `?${search}`}>; rel="${rel}"`;
  };
  const links = [link("first", 0)];
  // Past the end, the previous page is the last one with rows.
  if (page.offset > 0) links.push(link("prev", Math.max(0, Math.min(page.offset, count) - page.limit)));
  if (page.offset + page.limit < count) links.push(link("next", page.offset + page.limit));
  return links.join(", ");
}
