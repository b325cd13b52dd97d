import { hash } from "node:crypto";
import type { Context } from "koa";
import { type Encoded, encodedOnce } from "../present/encoded.ts";

/** Bytes that many may ask for, as they are and compressed. */
export type Content = { body: Buffer; encoded: Encoded; type: string; etag: string };

/** Below this, compressing gains nothing. */
const COMPRESSED_FROM_BYTES = 1024;
/** No client sends a longer Accept-Encoding. Taking one of 16 KiB apart costs more than sending the bytes as they are. */
const MAX_ACCEPT_ENCODING = 256;

/** The ETag is weak, as the same content may travel compressed or not. `kind` tells contents of equal bytes apart. */
export function contentOf(kind: string, body: Buffer, type = kind): Content {
  return { body, encoded: encodedOnce(body), type, etag: `W/"${kind}-${hash("sha1", body, "base64url")}"` };
}

/** The headers of a 304; the request's id and the limits are added later. */
const OF_NOT_MODIFIED = /^(?:etag|vary|cache-control)$/;
/** Without the CORS headers, a browser would hide the 304 from the page that asked. */
const OF_NOT_MODIFIED_TO_PAGES = /^(?:etag|vary|cache-control|access-control-.*)$/;

/** Sends content, or 304 when the caller has it already. How long it may be kept is said by who calls this. */
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
  const encoding = encodingOf(ctx, content);
  if (encoding === "identity") {
    ctx.body = content.body;
  } else {
    ctx.body = await content.encoded(encoding);
    ctx.set("Content-Encoding", encoding);
  }
}

/** How it travels: as the caller likes best of what there is. A HEAD tells of the content as it is. */
function encodingOf(ctx: Context, { body }: Content): "br" | "gzip" | "identity" {
  // Settled here, once for all who ask for this content.
  ctx.compress = false;
  if (ctx.method === "HEAD" || body.length < COMPRESSED_FROM_BYTES) return "identity";
  if (ctx.get("Accept-Encoding").length > MAX_ACCEPT_ENCODING) return "identity";
  return (ctx.acceptsEncodings("br", "gzip", "identity") || "identity") as "br" | "gzip" | "identity";
}

/**
 * Whether If-None-Match names this ETag. `*` names none: callers without any page would get its metadata and pay no quota. Koa's own `fresh` says no whenever `Cache-Control: no-cache` is sent, as `fetch` does
 * by itself with If-None-Match; but that is said to caches on the way.
 */
function hasAlready(ifNoneMatch: string, etag: string): boolean {
  // With its quotes, and whether weak or strong, it stands in a list only as a whole.
  return ifNoneMatch.includes(etag.slice("W/".length));
}
