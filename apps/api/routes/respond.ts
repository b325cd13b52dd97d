import { createHash } from "node:crypto";
import type { Context } from "koa";
import { type Format, MEDIA_TYPES } from "../present/formats.ts";

/** A finished answer: its bytes, and the headers that belong to them. */
export type Answer = { body: Buffer; type: string; etag: string; headers: Readonly<Record<string, string>> };

/** The ETag is weak: the same answer may travel compressed or not. */
export function answerOf(format: Format, text: string, headers: Readonly<Record<string, string>> = {}): Answer {
  const body = Buffer.from(text);
  const etag = `W/"${createHash("sha1").update(format).update(body).digest("base64url")}"`;
  return { body, type: `${MEDIA_TYPES[format]}; charset=utf-8`, etag, headers };
}

/** Sends an answer, or 304 when the caller has it already. Returns whether it was sent in full. */
export function respond(ctx: Context, answer: Answer): "sent" | "not modified" {
  ctx.set({
    ...answer.headers,
    "Cache-Control": "private, no-cache",
    Vary: "Accept, Accept-Encoding, Authorization, Prefer",
    ETag: answer.etag,
  });
  ctx.status = 200;
  if (hasAlready(ctx.get("If-None-Match"), answer.etag)) {
    ctx.status = 304;
    return "not modified";
  }
  ctx.type = answer.type;
  ctx.body = answer.body;
  return "sent";
}

/**
 * Whether If-None-Match names this ETag. Koa's own `fresh` says no whenever `Cache-Control: no-cache` is sent, as `fetch` does
 * by itself with If-None-Match; but that is said to caches on the way.
 */
function hasAlready(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || opaque(tag) === opaque(etag));
}

/** An ETag without what says how strong it is. */
const opaque = (tag: string): string => tag.trim().replace(/^W\//, "");
