import type { Middleware } from "koa";
import compress from "koa-compress";
import { acceptedEncoding, COMPRESSED_FROM_BYTES } from "./encoding.ts";

/** Compresses answers as callers accept it. koa-compress throws for a caller who accepts no encoding at all, so it is not asked then. */
export function compressed(): Middleware {
  const compressing = compress({ threshold: COMPRESSED_FROM_BYTES, zstd: false, deflate: false });
  return (ctx, next) =>
    compressing(ctx, async () => {
      await next();
      if (acceptedEncoding(ctx) === "identity") ctx.compress = false;
    });
}
