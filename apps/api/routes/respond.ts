import type { Context, Middleware } from "koa";
import { sendEncoded } from "@tranche/http/server/encoding";
import { namesEtag } from "@tranche/http/server/validators";
import type { Answer, Content } from "../present/answer.ts";
import type { Serve } from "../serve/call.ts";

/** The headers of a 304; the request's id and the limits are added later. */
const OF_NOT_MODIFIED = /^(?:etag|vary|cache-control)$/;
/** Without the CORS headers, a browser would hide the 304 from the page that asked. */
const OF_NOT_MODIFIED_TO_PAGES = /^(?:etag|vary|cache-control|access-control-.*)$/;

/** The `GET` of an endpoint, from the key to the bytes. */
export function answered(serve: Serve): Middleware {
  return async (ctx) => respond(ctx, await serve(ctx));
}

/** Sends an answer, or 304 when the caller has it already. */
export async function respond(ctx: Context, answer: Answer): Promise<void> {
  ctx.state.answeredAt = performance.now();
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
  if (namesEtag(ctx.get("If-None-Match"), content.etag)) {
    const kept = ctx.get("Origin") === "" ? OF_NOT_MODIFIED : OF_NOT_MODIFIED_TO_PAGES;
    for (const name of ctx.res.getHeaderNames()) if (!kept.test(name)) ctx.remove(name);
    ctx.status = 304;
    return;
  }
  ctx.type = content.type;
  await sendEncoded(ctx, content.body, content.encoded);
}
