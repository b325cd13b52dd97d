import type Router from "@koa/router";
import type { FeedLink } from "@tranche/shared/accounts/account";
import { MAX_FEED_LINKS } from "@tranche/shared/accounts/feed-link-store";
import { feedUrls } from "@tranche/shared/accounts/feed-urls";
import { mayDo } from "@tranche/shared/accounts/role";
import { isFollowed, type SavedSearch } from "@tranche/shared/accounts/saved-search";
import type { Context } from "koa";
import { PageError } from "@tranche/http/errors/page-error";
import { assertActive } from "../sessions/active-account.ts";
import type { SignedIn } from "../sessions/signed-in.ts";
import type { DashboardParts } from "./parts.ts";
import { addRequests } from "./requests.ts";

/** A feed link as the pages see it. */
export type FeedLinkView = {
  id: string;
  prefix: string;
  created_at: string;
  created_by: string;
  /** To the minute; null until it was used. */
  last_used_at: string | null;
};

/** How a saved search can be followed: `has_feed` says whether its list has feeds. Viewers see no links. */
export type FollowView = {
  search: Pick<SavedSearch, "id" | "name" | "list" | "query">;
  has_feed: boolean;
  links: FeedLinkView[];
  max_links: number;
};

/** A new feed link, this once. */
export type CreatedFeedLink = { atom: string; json: string; link: FeedLinkView };

/** The feed links of saved searches. A search or a link of another account is not found. */
export function addFeeds(
  router: Router,
  { requireSession, searchesAs, feedLinksAs, publicApiUrl }: DashboardParts,
): void {
  const searchOf = ({ account, session }: SignedIn, ctx: Context) =>
    searchesAs(session.member).one({ account: account.account, id: ctx["params"].id });

  addRequests(router, requireSession, {
    async "GET /searches/:id/follow"(signedIn, ctx): Promise<FollowView> {
      const { id, name, list, query, account } = await searchOf(signedIn, ctx);
      const { rights, actor } = signedIn;
      const all = mayDo(rights.role, "developer") ? await feedLinksAs(actor).ofAccount(account) : [];
      const links = all.filter((link) => link.search === id).map(view);
      return { search: { id, name, list, query }, has_feed: isFollowed(list), links, max_links: MAX_FEED_LINKS };
    },

    async "POST /searches/:id/feeds"(signedIn, ctx): Promise<CreatedFeedLink> {
      const search = await searchOf(signedIn, ctx);
      const { account, session, actor, assertStill: mayStay } = signedIn;
      assertActive(account);
      if (!isFollowed(search.list)) {
        throw new PageError("invalid_request", `A search of ${search.list} has no feed.`);
      }
      const input = { account, search: search.id, name: search.name, created_by: session.member, mayStay };
      const { token, link } = await feedLinksAs(actor).create(input);
      ctx.status = 201;
      return { ...feedUrls(publicApiUrl, token), link: view(link) };
    },

    async "POST /feeds/:id/revoke"({ account, actor }, ctx) {
      const store = feedLinksAs(actor);
      const link = (await store.everyOf(account.account)).find(({ key_id }) => key_id === ctx["params"].id);
      if (!link) throw new PageError("not_found", "This account has no such feed link.");
      if (link.revoked_at === null) await store.revoke(link);
    },
  });
}

const view = ({ key_id, prefix, created_at, created_by, last_used_at }: FeedLink): FeedLinkView => ({
  id: key_id,
  prefix,
  created_at,
  // The names of operators are not for customers.
  created_by: created_by.startsWith("ops:") ? "the operators" : created_by,
  last_used_at: last_used_at ?? null,
});
