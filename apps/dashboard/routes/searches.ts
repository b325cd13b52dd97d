import type { VersionedSearch } from "@tranche/shared/accounts/read-searches";
import { MAX_SEARCHES } from "@tranche/shared/accounts/saved-search";
import { z } from "zod";
import { searchList, searchName, searchQuery } from "../explore/saved-search.ts";
import { assertMayDo } from "../sessions/rights.ts";
import { followOf } from "./follow-view.ts";
import type { DashboardParts } from "./parts.ts";
import { request } from "./requests.ts";

const created = z.object({ name: searchName, list: searchList, query: searchQuery });
const changed = z.object({
  name: searchName.optional(),
  query: searchQuery.optional(),
  version: z.string("Send the version that you changed.").regex(/^\d{1,15}\.\d{1,15}$/, "This is not a version."),
});

const view = ({ search: { kind: _kind, account: _account, ...search }, version }: VersionedSearch) => ({
  ...search,
  /** Sent back with a change. */
  version,
});

/** Searches that members save for all members of their account. */
export function searchRequests({ searchesAs, feedLinksAs, followsAs }: DashboardParts) {
  return {
    "GET /searches": request({ role: "viewer" }, async ({ account, session, actor }) => {
      const [searches, links] = await Promise.all([
        searchesAs(session.member).ofAccount(account.account),
        feedLinksAs(actor).ofAccount(account.account),
      ]);
      const linksOf = (id: string) => links.filter((link) => link.search === id).length;
      return {
        searches: searches.map((search) => ({
          ...view(search),
          /** How many of them work. */
          feed_links: linksOf(search.search.id),
        })),
        max: MAX_SEARCHES,
      };
    }),

    "POST /searches": request(
      { role: "viewer", body: created, status: 201, needsActive: true },
      async ({ account: { account }, session, assertStill, body }) =>
        view(await searchesAs(session.member).create({ account, ...body }, assertStill)),
    ),

    "PUT /searches/:id": request({ role: "viewer", body: changed, needsActive: true }, async (asked) => {
      const { account, session, actor, id } = asked;
      const { version, name, query } = asked.body;
      const changes = { ...(name === undefined ? {} : { name }), ...(query === undefined ? {} : { query }) };
      const search = { account: account.account, id };
      const stored = await searchesAs(session.member).change(search, changes, version);
      await followsAs(actor).changeOfSearch(search.account, search.id, followOf(stored.search));
      return view(stored);
    }),

    "DELETE /searches/:id": request({ role: "viewer" }, async ({ account, session, rights, actor, id }) => {
      const search = { account: account.account, id };
      const links = feedLinksAs(actor);
      // With the search, its feed links go.
      const hasLinks = (await links.ofAccount(search.account)).some((link) => link.search === search.id);
      if (hasLinks) assertMayDo(rights, "developer");
      await searchesAs(session.member).remove(search);
      await links.revokeOfSearch(search.account, search.id);
      await followsAs(actor).removeOfSearch(search.account, search.id);
    }),
  };
}
