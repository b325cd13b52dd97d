import { apiPath } from "../explore/api-path.ts";
import { PageError } from "@tranche/http/errors/page-error";
import type { DashboardParts } from "./parts.ts";
import { request } from "./requests.ts";

/** Headers of a request that the API gets, and of its answer that the browser gets. */
const ASKED = ["accept", "accept-encoding", "if-none-match", "prefer"];
const ANSWERED =
  /^(cache-control|content-(type|encoding|length|disposition)|etag|link|vary|retry-after|ratelimit(-policy)?|x-(ratelimit-\w+|request-id|total-count|next-cursor|changes-since|warnings))$/;
const WITHOUT_BODY = new Set([204, 304]);

/**
 * `/dashboard/api/v1/…` is the API, called for the account of the session: a session's token is a key of its account, so the API
 * admits and counts these requests like any others. Answers are passed on as they come, compressed or not, as fast as the browser
 * takes them. One that the API cuts off is cut off here, too. A browser that goes back to a page of results asks with its ETag,
 * which costs no quota.
 */
export const exploreRequests = ({ api }: DashboardParts) => ({
  "GET /v1/{*path}": request({ role: "viewer", answersItself: true }, async ({ token, ctx }) => {
    const path = apiPath(ctx.url);
    if (path === undefined) throw new PageError("not_found", `The API has nothing at ${ctx.path}.`);
    // A waiting request holds a connection to the API, and all accounts share these.
    if (new URLSearchParams(ctx.querystring).has("wait")) {
      const message =
        "The dashboard does not wait for changes. Leave 'wait' out, or call the API with a key of the account.";
      throw new PageError("invalid_request", message, { parameter: "wait" });
    }
    const asked = Object.fromEntries(ASKED.flatMap((name) => (ctx.get(name) ? [[name, ctx.get(name)]] : [])));
    const left = new AbortController();
    ctx.res.once("close", () => left.abort());
    const method = ctx.method === "HEAD" ? "HEAD" : "GET";
    const headers = { ...asked, authorization: `Bearer ${token}`, "x-request-id": String(ctx.state.requestId) };
    const answer = await api.request({ method, path, headers, signal: left.signal }).catch((error: Error) => {
      if (!left.signal.aborted) throw error;
    });
    if (!answer) return void (ctx.respond = false);
    ctx.compress = false;
    ctx.status = answer.statusCode;
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined && ANSWERED.test(name)) ctx.set(name, value);
    }
    ctx.vary("Cookie");
    answer.body.once("error", () => ctx.res.destroy());
    if (method === "HEAD" || WITHOUT_BODY.has(answer.statusCode)) await answer.body.dump();
    else ctx.body = answer.body;
  }),
});
