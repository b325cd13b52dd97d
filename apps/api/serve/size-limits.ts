import type { Middleware } from "koa";
import { ApiError } from "../errors/api-error.ts";

export const MAX_URL_BYTES = 8 * 1024;
export const MAX_HEADER_BYTES = 16 * 1024;

export const uriTooLong = () => new ApiError("uri_too_long", "The address is longer than 8 KiB.");
export const headersTooLarge = () =>
  new ApiError("header_fields_too_large", "The request headers are larger than 16 KiB.");

/** Refuses long addresses and large header blocks. The server itself lets more in, so that each gets its own answer. */
export function sizeLimits(): Middleware {
  return async (ctx, next) => {
    if ((ctx.req.url ?? "").length > MAX_URL_BYTES) throw uriTooLong();
    // Each field travels with `: ` and a line end.
    const size = ctx.req.rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
    if (size > MAX_HEADER_BYTES) throw headersTooLarge();
    await next();
  };
}
