import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import type { FundingDocument } from "@tranche/read-models/documents/funding";
import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import { filtersOf, readParameters } from "@tranche/read-models/parameters/read";
import type { Plan } from "@tranche/shared/accounts/plans";
import type { FeedModel } from "@tranche/shared/protocol/feed/keys";
import { type FollowedList, isFollowed, type SavedSearch } from "@tranche/shared/accounts/saved-search";
import type { Context, Middleware } from "koa";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Filter } from "@tranche/read-models/query/filters";
import type { Credentials } from "../admission/credentials.ts";
import type { Identify } from "../admission/identify.ts";
import type { Endpoints } from "../endpoints/endpoints.ts";
import { ApiError, invalidParameters, notFound } from "../errors/api-error.ts";
import { atomText } from "../feed-links/atom.ts";
import { type ChangedRow, feedPage } from "../feed-links/entries.ts";
import { jsonFeedText } from "../feed-links/json-feed.ts";
import type { FeedPage } from "../feed-links/page.ts";
import type { FeedPageCache } from "../feed-links/page-cache.ts";
import { type FeedFormat, readFeedFile } from "../feed-links/token.ts";
import { contentOf } from "../present/answer.ts";
import { newestChanges } from "../query/newest-changes.ts";
import { evenIfAway } from "../redis/unless-away.ts";
import type { List } from "./list.ts";
import { COMPANIES_LIST, FUNDING_LIST, SIGNALS_LIST } from "./lists.ts";
import { assertFilled } from "./assert-filled.ts";
import type { ApiParts } from "./parts.ts";
import { send } from "./respond.ts";

const FORMATS: Readonly<Record<FeedFormat, { type: string; text: (page: FeedPage) => string }>> = {
  atom: { type: "application/atom+xml; charset=utf-8", text: atomText },
  json: { type: "application/feed+json; charset=utf-8", text: jsonFeedText },
};

type FollowedDocument = FundingDocument | CompanyDocument;
/** A list whose rows a feed shows, with its read model. */
type Followed = { list: List<FollowedDocument>; model: FeedModel };
const FOLLOWED: Readonly<Record<FollowedList, Followed>> = {
  funding: { list: FUNDING_LIST as List<FollowedDocument>, model: "funding" },
  signals: { list: SIGNALS_LIST as List<FollowedDocument>, model: "companies" },
  companies: { list: COMPANIES_LIST as List<FollowedDocument>, model: "companies" },
};

/** The share of the month's quota that the feed links of an account may use in a day. */
const SHARE_OF_QUOTA = 0.01;
/** Requests for one link that a process answers in a minute, fresh pages or not. */
const PER_LINK = { points: 60, duration: 60 };

const GONE = "There is no such feed: its link is wrong or was revoked, or its saved search was deleted.";

/**
 * `GET /feeds/<token>.atom` and `.json`: the newest changes of the saved search that the token opens. A fresh page is charged to the
 * account like a page of the list; within a minute it is sent again for free.
 */
export function feedRoute(endpoints: Endpoints, parts: ApiParts): Middleware {
  const { pages } = parts.feedLinks;
  const limiter = new RateLimiterMemory(PER_LINK);

  return async (ctx) => {
    // A link that search engines found would be public.
    ctx.set("X-Robots-Tag", "noindex");
    /** The account for which this request counted a page. */
    let counted: string | undefined;
    try {
      const { format, link } = await identifyLink(ctx, parts.identify);
      await limitRequests(limiter, link);
      await evenIfAway(() => parts.checkKey(ctx, link));
      const { page } = await pages.page(link, async () => {
        const opened = await openFeed(ctx, link, endpoints, parts);
        await countPage(pages, link.handle, opened.plan);
        counted = link.handle;
        return newestPage(opened, parts);
      });
      await sendPage(ctx, page, format);
    } catch (error) {
      // A feed reader has no key that it could correct.
      throw error instanceof ApiError && error.code === "unauthorized" ? notFound(GONE) : error;
    } finally {
      // As with the quota: an answer without data, or an error of ours, is not charged.
      if (counted !== undefined && ctx.status !== 200) await pages.uncount(counted);
    }
  };
}

/** The format and the credentials that the URL names. */
async function identifyLink(ctx: Context, identify: Identify): Promise<{ format: FeedFormat; link: Credentials }> {
  let format: FeedFormat = "atom";
  const link = await identify(ctx, () => {
    const read = readFeedFile(String(ctx["params"].file));
    format = read.format;
    return read.credentials;
  });
  return { format, link };
}

async function limitRequests(limiter: RateLimiterMemory, link: Credentials): Promise<void> {
  try {
    await limiter.consume(link.hash);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    const message = `Too many requests for this feed link. It has a new page once per minute. Try again in ${seconds} s.`;
    throw new ApiError("rate_limited", message, { headers: { "Retry-After": String(seconds) } });
  }
}

/** The list and the filters of a saved search, on the plan of its account. */
type OpenedFeed = { saved: SavedSearch; followed: Followed; filters: readonly Filter[]; plan: Plan };

/** Finds the saved search of a link, and admits the request. */
async function openFeed(ctx: Context, link: Credentials, endpoints: Endpoints, parts: ApiParts): Promise<OpenedFeed> {
  const saved = await parts.feedLinks.search(link);
  if (!saved || !isFollowed(saved.list)) throw notFound(GONE);
  const followed = FOLLOWED[saved.list];
  const table = endpoints[saved.list].parameters;
  const { values, problems } = readParameters(table, saved.query);
  const { plan } = await parts.admit(ctx, () => (problems.length > 0 ? invalidParameters(problems) : undefined));
  await assertFilled({ lacking: parts.lacking, model: followed.model, asked: { filters: { table, values } } });
  return { saved, followed, filters: filtersOf(table, values, followed.list.base), plan };
}

/** Counts a page for the day. Throws `quota_exceeded` when the day has no more. */
async function countPage(pages: FeedPageCache, handle: string, plan: Plan): Promise<void> {
  const allowed = Math.max(1, Math.floor(plan.quota * SHARE_OF_QUOTA));
  const { pages: used, secondsLeft } = await pages.count(handle);
  if (used <= allowed) return;
  await pages.uncount(handle);
  const message = `Feed links use at most 1 % of the month's quota per day, ${allowed} pages on the plan ${plan.name}. The next day begins at 00:00 UTC.`;
  throw new ApiError("quota_exceeded", message, { headers: { "Retry-After": String(secondsLeft) } });
}

/** The page of the newest changes. */
async function newestPage({ saved, followed, filters, plan }: OpenedFeed, parts: ApiParts): Promise<FeedPage> {
  const { list, model } = followed;
  const { index, horizon } = await parts.feed.watch.state(model);
  const found = await parts.search<FollowedDocument & ChangeTickets>(
    index,
    newestChanges({ filters, idField: list.idField, source: sourceOf(list) }, { size: plan.max_limit, horizon }),
  );
  const changes = found.documents.map((document, place): ChangedRow => {
    const row = list.value(document) as ChangedRow["row"];
    return { id: found.ids[place]!, changed: Number(found.sorted[place]![0]), created: document.created, row };
  });
  return feedPage(saved, changes, parts.docs.dashboardUrl);
}

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
