import type { Page } from "@tranche/read-models/query/list-query";

/**
 * The Link header (RFC 8288): `first`, and `prev` and `next` where there are rows. A page after a cursor has no `prev`, and its `next`
 * has the next cursor. `query` is the request's query string without the parameters of the page; `limit` is written when the request
 * had one.
 */
export function linkHeader(
  path: string,
  query: string,
  page: Page,
  withLimit: boolean,
  { count, next }: { count: number; next: string | undefined },
): string {
  const link = (rel: string, begin: string) => {
    const parameters = [query, withLimit ? `limit=${page.limit}` : "", begin];
    const search = parameters.filter((part) => part !== "").join("&");
    return `<${path}${search === "" ? "" : `?${search}`}>; rel="${rel}"`;
  };
  const at = (offset: number) => (offset > 0 ? `offset=${offset}` : "");
  const links = [link("first", "")];
  // Past the end, the previous page is the last one with rows.
  if (page.offset > 0) links.push(link("prev", at(Math.max(0, Math.min(page.offset, count) - page.limit))));
  if (next !== undefined) links.push(link("next", page.after ? `cursor=${next}` : at(page.offset + page.limit)));
  return links.join(", ");
}
