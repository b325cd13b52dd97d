import type { ListName } from "../../../../apps/dashboard/explore/list-fields.ts";
import { type Params, readParams, withParams, writeParams } from "./params.ts";

export const VIEWS = ["table", "charts", "json", "code"] as const;
export type View = (typeof VIEWS)[number];

/** The state of Explore. All of it is in the URL. */
export type ExploreState = {
  list: ListName;
  /** As the API gets them: filters, order, page size and position. */
  params: Params;
  view: View;
  /** Counts the pages of a walk by cursor, from 1. */
  page: number;
};

const ROOT = "/dashboard/explore";
/** Members of an address that the API does not get. `fields` and `format` would change what rows are. */
const OWN = new Set(["view", "page", "fields", "format", "text"]);
/** Parameters that say which rows of the result are shown. */
const POSITION = ["cursor", "offset"] as const;

/** Reads the state from a URL; `undefined` for a list that does not exist. */
export function readExploreState(url: string, lists: readonly string[]): ExploreState | undefined {
  const { pathname, search } = new URL(url, "http://here");
  const list = pathname.slice(ROOT.length + 1) || "funding";
  if (!lists.includes(list)) return undefined;
  const all = readParams(search);
  const own = new Map(all);
  const view = VIEWS.find((one) => one === own.get("view")) ?? "table";
  const page = /^[1-9]\d{0,5}$/.test(own.get("page") ?? "") ? Number(own.get("page")) : 1;
  return { list: list as ListName, params: all.filter(([name]) => !OWN.has(name)), view, page };
}

export function hrefOf({ list, params, view, page }: ExploreState): string {
  const own: Params = [
    ...(view === "table" ? [] : [["view", view] as const]),
    ...(page === 1 ? [] : [["page", String(page)] as const]),
  ];
  const query = writeParams([...params, ...own]);
  return `${ROOT}/${list}${query === "" ? "" : `?${query}`}`;
}

/** The same result from its first row, with other parameters. */
export const restarted = (explore: ExploreState, changes: Record<string, string | undefined> = {}): ExploreState => ({
  ...explore,
  params: withParams(explore.params, { ...Object.fromEntries(POSITION.map((name) => [name, undefined])), ...changes }),
  page: 1,
});

/** Filters alone, as statistics take them. */
export const filtersOf = (params: Params): Params =>
  withParams(params, { sort: undefined, limit: undefined, cursor: undefined, offset: undefined });

/** Filters and order: the parts of a saved search. */
export const savedQuery = (params: Params): string =>
  writeParams(withParams(params, { limit: undefined, cursor: undefined, offset: undefined }));
