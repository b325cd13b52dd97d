import type { Context } from "koa";
import { sendEncoded } from "@tranche/http/server/encoding";
import type { Answer, Content } from "../present/answer.ts";

/** The headers of a 304; the request's id and the limits are added later. */
const OF_NOT_MODIFIED = /^(?:etag|vary|cache-control)$/;
/** Without the CORS headers, a browser would hide the 304 from the page that asked. */
const OF_NOT_MODIFIED_TO_PAGES = /^(?:etag|vary|cache-control|access-control-.*)$/;

/** Sends an answer, or 304 when the caller has it already. */
export async function respond(ctx: Context, answer: Answer): Promise<void> {
  ctx.set({
    ...answer.headers,
    "Cache-Control": "private, no-cache",
    Vary: "Accept, Accept-Encoding, Authorization, Prefer",
  });
  await send(ctx, answer);
}

/** Sends content, or 304 when the caller has it already. The caller of this function sets Cache-Control. */
export async function send(ctx: Context, content: Content): Promise<void> {
  ctx.set("ETag", content.etag);
  ctx.status = 200;
  if (hasAlready(ctx.get("If-None-Match"), content.etag)) {
    const kept = ctx.get("Origin") === "" ? OF_NOT_MODIFIED : OF_NOT_MODIFIED_TO_PAGES;
    for (const name of ctx.res.getHeaderNames()) if (!kept.test(name)) ctx.remove(name);
    ctx.status = 304;
    return;
  }
  ctx.type = content.type;
  await sendEncoded(ctx, content.body, content.encoded);
}

/**
 * Whether If-None-Match names this ETag. `*` names none: callers without any page would get its metadata and pay no quota. Koa's
 * `fresh` is of no use: it says no whenever `Cache-Control: no-cache` is sent, as `fetch` does by itself with If-None-Match.
 */
function hasAlready(ifNoneMatch: string, etag: string): boolean {
  // With its quotes, and whether weak or strong, it is in a list only as a whole.
  return ifNoneMatch.includes(etag.slice("W/".length));
}
