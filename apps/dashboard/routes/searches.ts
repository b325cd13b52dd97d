import type Router from "@koa/router";
import type { VersionedSearch } from "@tranche/shared/accounts/read-searches";
import { MAX_SEARCHES, type SavedSearch } from "@tranche/shared/accounts/saved-search";
import { z } from "zod";
import { bodyOf } from "@tranche/http/server/json-body";
import { searchList, searchName, searchQuery } from "../searches/saved-search.ts";
import { assertActive } from "../sessions/active-account.ts";
import { assertMayDo } from "../sessions/needed-roles.ts";
import { followOf } from "./follow-view.ts";
import type { DashboardParts } from "./parts.ts";
import { addRequests } from "./requests.ts";

export type SearchView = Omit<SavedSearch, "kind" | "account"> & {
  /** Sent back with a change. */
  version: string;
};
/** `feed_links`: how many feed links of the search work. */
export type ListedSearch = SearchView & { feed_links: number };
export type SearchesView = { searches: ListedSearch[]; max: number };

const created = z.object({ name: searchName, list: searchList, query: searchQuery });
const changed = z.object({
  name: searchName.optional(),
  query: searchQuery.optional(),
  version: z.string("Send the version that you changed.").regex(/^\d{1,15}\.\d{1,15}$/, "This is not a version."),
});

const view = ({ search: { kind: _kind, account: _account, ...search }, version }: VersionedSearch): SearchView => ({
  ...search,
  version,
});

/** Searches that members save for all members of their account. */
export function addSearches(
  router: Router,
  { requireSession, searchesAs, feedLinksAs, followsAs }: DashboardParts,
): void {
  addRequests(router, requireSession, {
    async "GET /searches"({ account, session, actor }): Promise<SearchesView> {
      const [searches, links] = await Promise.all([
        searchesAs(session.member).ofAccount(account.account),
        feedLinksAs(actor).ofAccount(account.account),
      ]);
      const linksOf = (id: string) => links.filter((link) => link.search === id).length;
      return {
        searches: searches.map((search) => ({ ...view(search), feed_links: linksOf(search.search.id) })),
        max: MAX_SEARCHES,
      };
    },

    async "POST /searches"({ account, session, assertStill }, ctx): Promise<SearchView> {
      assertActive(account);
      const input = { account: account.account, ...bodyOf(ctx, created) };
      ctx.status = 201;
      return view(await searchesAs(session.member).create(input, assertStill));
    },

    async "PUT /searches/:id"({ account, session, actor }, ctx): Promise<SearchView> {
      assertActive(account);
      const { version, name, query } = bodyOf(ctx, changed);
      const changes = { ...(name === undefined ? {} : { name }), ...(query === undefined ? {} : { query }) };
      const search = { account: account.account, id: ctx["params"].id };
      const stored = await searchesAs(session.member).change(search, changes, version);
      await followsAs(actor).changeOfSearch(search.account, search.id, followOf(stored.search));
      return view(stored);
    },

    async "DELETE /searches/:id"({ account, session, rights, actor }, ctx) {
      const search = { account: account.account, id: ctx["params"].id };
      const links = feedLinksAs(actor);
      // With the search, its feed links go.
      const hasLinks = (await links.ofAccount(search.account)).some((link) => link.search === search.id);
      if (hasLinks) assertMayDo(rights, "developer");
      await searchesAs(session.member).remove(search);
      await links.revokeOfSearch(search.account, search.id);
      await followsAs(actor).removeOfSearch(search.account, search.id);
    },
  });
}
