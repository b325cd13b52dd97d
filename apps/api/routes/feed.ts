import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import type { FundingDocument } from "@tranche/read-models/documents/funding";
import type { SignalsDocument } from "@tranche/read-models/documents/signals";
import { filtersOf, readParameters } from "@tranche/read-models/parameters/read";
import type { Plan } from "@tranche/shared/accounts/plans";
import type { FeedModel } from "@tranche/shared/feed/keys";
import { type FollowedList, isFollowed } from "@tranche/shared/searches/saved-search";
import type { Context, Middleware } from "koa";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Credentials } from "../admission/credentials.ts";
import type { Endpoints } from "../endpoints/endpoints.ts";
import { ApiError, invalidParameters, notFound } from "../errors/api-error.ts";
import { atomText } from "../feed-links/atom.ts";
import { type ChangedRow, feedPage } from "../feed-links/entries.ts";
import { jsonFeedText } from "../feed-links/json-feed.ts";
import type { FeedPage } from "../feed-links/page.ts";
import { type FeedFormat, readFeedFile } from "../feed-links/token.ts";
import { contentOf } from "../present/answer.ts";
import { newestChanges } from "../query/newest-changes.ts";
import type { List } from "./list.ts";
import { COMPANIES_LIST, FUNDING_LIST, SIGNALS_LIST } from "./lists.ts";
import { assertFilled } from "./assert-filled.ts";
import type { Parts } from "./parts.ts";
import { send } from "./respond.ts";

const FORMATS: Readonly<Record<FeedFormat, { type: string; text: (page: FeedPage) => string }>> = {
  atom: { type: "application/atom+xml; charset=utf-8", text: atomText },
  json: { type: "application/feed+json; charset=utf-8", text: jsonFeedText },
};

type FollowedDocument = FundingDocument | SignalsDocument;
/** Lists whose rows a feed shows, each with its read model. */
const FOLLOWED: Readonly<Record<FollowedList, { list: List<FollowedDocument>; model: FeedModel }>> = {
  funding: { list: FUNDING_LIST as List<FollowedDocument>, model: "funding" },
  signals: { list: SIGNALS_LIST as List<FollowedDocument>, model: "signals" },
  companies: { list: COMPANIES_LIST as List<FollowedDocument>, model: "signals" },
};

/** The share of the month's quota that the feed links of an account may use in a day. */
const SHARE_OF_QUOTA = 0.01;
/** Requests for one link that a process answers in a minute, fresh pages or not. */
const PER_LINK = { points: 60, duration: 60 };

/**
 * `GET /feeds/<token>.atom` and `.json`: the newest changes of the saved search that the token opens. A fresh page is charged to the
 * account like a page of the list; within a minute it is sent again for free.
 */
export function feedRoute(endpoints: Endpoints, parts: Parts): Middleware {
  const { identify, checkKey, admit, search, feedLinks, feed } = parts;
  const limiter = new RateLimiterMemory(PER_LINK);

  const make = async (ctx: Context, link: Credentials): Promise<FeedPage> => {
    const saved = await feedLinks.search(link);
    if (!saved || !isFollowed(saved.list)) throw notFound(GONE);
    const { list, model } = FOLLOWED[saved.list];
    const table = endpoints[saved.list].parameters;
    const { values, problems } = readParameters(table, saved.query);
    const { plan } = await admit(ctx, () => (problems.length > 0 ? invalidParameters(problems) : undefined));
    assertFilled(parts.lacking.of(model), { table, values });
    await countPage(ctx, link.handle, plan);
    const { index, horizon } = await feed.watch.state(model);
    const request = { filters: filtersOf(table, values, list.base), idField: list.idField, source: sourceOf(list) };
    const found = await search<FollowedDocument & ChangeTickets>(
      index,
      newestChanges(request, { size: plan.max_limit, horizon }),
    );
    const changes = found.documents.map((document, place): ChangedRow => {
      const row = list.value(document) as ChangedRow["row"];
      return { id: found.ids[place]!, changed: Number(found.sorted[place]![0]), created: document.created, row };
    });
    return feedPage(saved, changes, parts.docs.dashboardUrl);
  };

  /** Counts a page for the day. Throws `quota_exceeded` when the day has no more. */
  const countPage = async (ctx: Context, handle: string, plan: Plan): Promise<void> => {
    const allowed = Math.max(1, Math.floor(plan.quota * SHARE_OF_QUOTA));
    const { pages, secondsLeft } = await feedLinks.kept.count(handle);
    if (pages > allowed) {
      await feedLinks.kept.giveBack(handle);
      const message = `Feed links use at most 1 % of the month's quota per day, ${allowed} pages on the plan ${plan.name}. The next day begins at 00:00 UTC.`;
      throw new ApiError("quota_exceeded", message, { headers: { "Retry-After": String(secondsLeft) } });
    }
    ctx.state.feedPageOf = handle;
  };

  return async (ctx) => {
    // A link that search engines found would be public.
    ctx.set("X-Robots-Tag", "noindex");
    try {
      const { format, credentials } = await identified(ctx);
      await checkKey(ctx, credentials);
      const { page } = await feedLinks.kept.page(credentials, () => make(ctx, credentials));
      await sendPage(ctx, page, format);
    } catch (error) {
      // A feed reader has no key that it could correct.
      throw error instanceof ApiError && error.code === "unauthorized" ? notFound(GONE) : error;
    } finally {
      // As with the quota: an answer without data, or an error of ours, is not charged.
      const handle = ctx.state.feedPageOf as string | undefined;
      if (handle !== undefined && ctx.status !== 200) await feedLinks.kept.giveBack(handle);
    }
  };

  async function identified(ctx: Context) {
    let format: FeedFormat = "atom";
    const credentials = await identify(ctx, () => {
      const read = readFeedFile(String(ctx["params"].file));
      format = read.format;
      return read.credentials;
    });
    try {
      await limiter.consume(credentials.hash);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      const message = `Too many requests for this feed link. It has a new page once per minute. Try again in ${seconds} s.`;
      throw new ApiError("rate_limited", message, { headers: { "Retry-After": String(seconds) } });
    }
    return { format, credentials };
  }
}

const GONE = "There is no such feed: its link is wrong or was revoked, or its saved search was deleted.";

const sourceOf = (list: List<FollowedDocument>): string[] => [...list.source, "created" satisfies keyof ChangeTickets];

/**
 * Sends a page, or 304 when the reader has it already. Without Last-Modified: it counts in seconds, and more than one page may belong to
 * a second.
 */
async function sendPage(ctx: Context, page: FeedPage, format: FeedFormat): Promise<void> {
  const { type, text } = FORMATS[format];
  const content = contentOf(format, Buffer.from(text(page)), type);
  ctx.set({
    "Cache-Control": "private, max-age=60",
    Vary: "Accept-Encoding",
  });
  await send(ctx, content);
}
