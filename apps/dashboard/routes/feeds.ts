import type { FeedLink } from "@tranche/shared/accounts/account";
import { MAX_FEED_LINKS } from "@tranche/shared/accounts/feed-link-store";
import { feedUrls } from "@tranche/shared/accounts/feed-urls";
import { mayDo } from "@tranche/shared/accounts/role";
import { isFollowed } from "@tranche/shared/accounts/saved-search";
import { PageError } from "@tranche/http/errors/page-error";
import type { DashboardParts } from "./parts.ts";
import { type Asked, request } from "./requests.ts";

/** The feed links of saved searches. A search or a link of another account is not found. */
export function feedRequests({ searchesAs, feedLinksAs, publicApiUrl }: DashboardParts) {
  const searchOf = ({ account, session, id }: Asked) =>
    searchesAs(session.member).one({ account: account.account, id });

  return {
    /** How a saved search can be followed: `has_feed` says whether its list has feeds. Viewers see no links. */
    "GET /searches/:id/follow": request({ role: "viewer" }, async (asked) => {
      const { id, name, list, query, account } = await searchOf(asked);
      const { rights, actor } = asked;
      const all = mayDo(rights.role, "developer") ? await feedLinksAs(actor).ofAccount(account) : [];
      const links = all.filter((link) => link.search === id).map(view);
      return { search: { id, name, list, query }, has_feed: isFollowed(list), links, max_links: MAX_FEED_LINKS };
    }),

    /** A new feed link, this once. */
    "POST /searches/:id/feeds": request({ role: "developer", status: 201, needsActive: true }, async (asked) => {
      const search = await searchOf(asked);
      const { account, session, actor, assertStill: mayStay } = asked;
      if (!isFollowed(search.list)) {
        throw new PageError("invalid_request", `A search of ${search.list} has no feed.`);
      }
      const input = { account, search: search.id, name: search.name, created_by: session.member, mayStay };
      const { token, link } = await feedLinksAs(actor).create(input);
      return { ...feedUrls(publicApiUrl, token), link: view(link) };
    }),

    "POST /feeds/:id/revoke": request({ role: "developer" }, async ({ account, actor, id }) => {
      const store = feedLinksAs(actor);
      const link = (await store.everyOf(account.account)).find(({ key_id }) => key_id === id);
      if (!link) throw new PageError("not_found", "This account has no such feed link.");
      if (link.revoked_at === null) await store.revoke(link);
    }),
  };
}

/** A feed link as the pages see it. */
const view = ({ key_id, prefix, created_at, created_by, last_used_at }: FeedLink) => ({
  id: key_id,
  prefix,
  created_at,
  // The names of operators are not for customers.
  created_by: created_by.startsWith("ops:") ? "the operators" : created_by,
  /** To the minute; null until it was used. */
  last_used_at: last_used_at ?? null,
});
