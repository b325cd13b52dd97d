import type { Page } from "@tranche/read-models/query/list-query";

/** Longer headers are refused by some clients and proxies. Then `first` and `prev` are left out: nobody needs them to go on. */
const MAX_LENGTH = 4096;

/**
 * The Link header (RFC 8288): `first`, and `prev` and `next` where there are rows. A page after a cursor has no `prev`, and its `next`
 * has the next cursor. `path` is that of callers; `query` is the request's query string without the parameters of the page; `limit` is written when the request
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
  const onward = next === undefined ? [] : [link("next", page.after ? `cursor=${next}` : at(page.offset + page.limit))];
  const all = [...links, ...onward].join(", ");
  return all.length > MAX_LENGTH && onward.length > 0 ? onward[0]! : all;
}
