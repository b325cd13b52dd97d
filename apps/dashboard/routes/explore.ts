import type Router from "@koa/router";
import { request } from "undici";
import { DashboardError } from "../errors/dashboard-error.ts";
import type { Parts } from "./parts.ts";

/** Headers of a request that the API gets, and of its answer that the browser gets. */
const ASKED = ["accept", "accept-encoding", "if-none-match", "prefer"];
const ANSWERED =
  /^(content-(type|encoding|length|disposition)|etag|link|vary|retry-after|ratelimit(-policy)?|x-(ratelimit-\w+|request-id|total-count|next-cursor|warnings))$/;
const WITHIN_MS = 30_000;

/**
 * `/dashboard/api/v1/…` is the API, called for the account of the session: a session's token is a key of its account, so the API
 * admits and counts these requests like any others.
 */
export function addExplore(router: Router, { requireSession, apiUrl }: Parts): void {
  router.get("/v1/{*path}", async (ctx) => {
    const { token } = await requireSession(ctx);
    const asked = Object.fromEntries(ASKED.flatMap((name) => (ctx.get(name) ? [[name, ctx.get(name)]] : [])));
    const aborted = new AbortController();
    ctx.req.once("close", () => aborted.abort());
    const answer = await request(`${apiUrl}/api/${ctx.url.slice("/dashboard/api/".length)}`, {
      headers: { ...asked, authorization: `Bearer ${token}` },
      headersTimeout: WITHIN_MS,
      signal: aborted.signal,
    }).catch((error: Error) => {
      throw new DashboardError("unavailable", "The API does not answer.", { cause: error });
    });
    ctx.status = answer.statusCode;
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined && ANSWERED.test(name)) ctx.set(name, value);
    }
    ctx.set("Cache-Control", "no-store");
    ctx.body = answer.body;
  });
}
