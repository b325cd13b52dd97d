import type Router from "@koa/router";
import type { FeedLink } from "@tranche/shared/accounts/account";
import { MAX_FEED_LINKS } from "@tranche/shared/accounts/feed-link-store";
import { feedUrls } from "@tranche/shared/accounts/feed-urls";
import { mayDo } from "@tranche/shared/accounts/role";
import { isFollowed, type SavedSearch } from "@tranche/shared/accounts/saved-search";
import type { Context } from "koa";
import { PageError } from "@tranche/http/errors/page-error";
import { assertActive } from "../sessions/active-account.ts";
import type { DashboardParts } from "./parts.ts";

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
  const searchOf = async (ctx: Context) => {
    const { account, session, rights, actor, assertStill } = await requireSession(ctx);
    const search = await searchesAs(session.member).one({ account: account.account, id: ctx["params"].id });
    return { account, search, rights, member: session.member, mayStay: assertStill, store: feedLinksAs(actor) };
  };

  router.get("/searches/:id/follow", async (ctx) => {
    const { search, rights, store } = await searchOf(ctx);
    const { id, name, list, query } = search;
    const all = mayDo(rights.role, "developer") ? await store.ofAccount(search.account) : [];
    const links = all.filter((link) => link.search === id).map(view);
    const data: FollowView = {
      search: { id, name, list, query },
      has_feed: isFollowed(list),
      links,
      max_links: MAX_FEED_LINKS,
    };
    ctx.body = { data };
  });

  router.post("/searches/:id/feeds", async (ctx) => {
    const { account, search, member, mayStay, store } = await searchOf(ctx);
    assertActive(account);
    if (!isFollowed(search.list)) {
      throw new PageError("invalid_request", `A search of ${search.list} has no feed.`);
    }
    const input = { account, search: search.id, name: search.name, created_by: member, mayStay };
    const { token, link } = await store.create(input);
    const data: CreatedFeedLink = { ...feedUrls(publicApiUrl, token), link: view(link) };
    ctx.status = 201;
    ctx.body = { data };
  });

  router.post("/feeds/:id/revoke", async (ctx) => {
    const { account, actor } = await requireSession(ctx);
    const store = feedLinksAs(actor);
    const link = (await store.everyOf(account.account)).find(({ key_id }) => key_id === ctx.params["id"]);
    if (!link) throw new PageError("not_found", "This account has no such feed link.");
    if (link.revoked_at === null) await store.revoke(link);
    ctx.status = 204;
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
