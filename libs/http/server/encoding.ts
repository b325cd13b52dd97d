import type { Context } from "koa";
import type { Encoded } from "./encoded.ts";

/** Below this, compressing gains nothing. */
export const COMPRESSED_FROM_BYTES = 1024;
/** No client sends a longer Accept-Encoding. Parsing one of 16 KiB costs more than sending the bytes as they are. */
const MAX_ACCEPT_ENCODING = 256;

export type Encoding = "br" | "gzip" | "identity";

/** The encoding that the caller prefers; `identity` also for a caller who accepts none. */
export function acceptedEncoding(ctx: Context): Encoding {
  if (ctx.get("Accept-Encoding").length > MAX_ACCEPT_ENCODING) return "identity";
  return (ctx.acceptsEncodings("br", "gzip", "identity") || "identity") as Encoding;
}

/** Sends bytes in the encoding that the caller prefers. `encoded` compresses them once for all callers. A HEAD describes them uncompressed. */
export async function sendEncoded(ctx: Context, body: Buffer, encoded: Encoded | undefined): Promise<void> {
  // koa-compress has nothing to do.
  ctx.compress = false;
  const compressible = encoded && ctx.method !== "HEAD" && body.length >= COMPRESSED_FROM_BYTES;
  const encoding = compressible ? acceptedEncoding(ctx) : "identity";
  if (encoding === "identity") return void (ctx.body = body);
  ctx.body = await encoded!(encoding);
  ctx.set("Content-Encoding", encoding);
}
