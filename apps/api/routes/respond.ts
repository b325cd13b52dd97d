import { hash } from "node:crypto";
import type { Context } from "koa";
import { type Encoded, encodedOnce } from "../present/encoded.ts";
import { type Format, MEDIA_TYPES } from "../present/formats.ts";
import type { Asked, Replay } from "./replayed.ts";

/** A finished answer: its bytes, as they are and compressed, and the headers that belong to them. */
export type Answer = {
  body: Buffer;
  encoded: Encoded;
  type: string;
  etag: string;
  headers: Readonly<Record<string, string>>;
  /** How it went out before, to some of those who asked for it. */
  replays: Map<Asked, Replay>;
};

/** How many ways an answer went out are kept with it, and what their headers take at most. */
export const MAX_REPLAYS = 4;
const REPLAYS_BYTES = 4096;

/** What an answer takes in memory. Its compressed forms, which may come later, together take less than the same again. */
export const bytesOf = (answer: Answer): number => 2 * answer.body.length + REPLAYS_BYTES;

/** Below this, compressing gains nothing. */
const COMPRESSED_FROM_BYTES = 1024;

/** The ETag is weak: the same answer may travel compressed or not. */
export function answerOf(format: Format, text: string, headers: Readonly<Record<string, string>> = {}): Answer {
  const body = Buffer.from(text);
  const etag = `W/"${format}-${hash("sha1", body, "base64url")}"`;
  const type = `${MEDIA_TYPES[format]}; charset=utf-8`;
  return { body, encoded: encodedOnce(body), type, etag, headers, replays: new Map() };
}

/** Sends an answer, or 304 when the caller has it already. */
export async function respond(ctx: Context, answer: Answer): Promise<void> {
  ctx.set({
    ...answer.headers,
    "Cache-Control": "private, no-cache",
    Vary: "Accept, Accept-Encoding, Authorization, Prefer",
    ETag: answer.etag,
  });
  ctx.status = 200;
  if (hasAlready(ctx.get("If-None-Match"), answer.etag)) {
    ctx.status = 304;
    return;
  }
  ctx.type = answer.type;
  const encoding = encodingOf(ctx, answer);
  if (encoding === "identity") {
    ctx.body = answer.body;
  } else {
    ctx.body = await answer.encoded(encoding);
    ctx.set("Content-Encoding", encoding);
  }
}

/** How the answer travels: as the caller likes best of what there is. A HEAD tells of the answer as it is. */
function encodingOf(ctx: Context, { body }: Answer): "br" | "gzip" | "identity" {
  // Settled here, once for all who ask for this answer.
  ctx.compress = false;
  if (ctx.method === "HEAD" || body.length < COMPRESSED_FROM_BYTES) return "identity";
  return (ctx.acceptsEncodings("br", "gzip", "identity") || "identity") as "br" | "gzip" | "identity";
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
