import type { IncomingMessage } from "node:http";
import type { Middleware } from "koa";
import { ApiError } from "../errors/api-error.ts";

export const MAX_URL_BYTES = 8 * 1024;
export const MAX_HEADER_BYTES = 16 * 1024;

export const uriTooLong = () =>
  new ApiError("uri_too_long", "The URL is longer than 8 KiB. Ask for fewer list items in one request.");
export const headersTooLarge = () =>
  new ApiError("header_fields_too_large", "The request headers are larger than 16 KiB.");

/** Why a request is too large, if it is. The server itself lets more in, so that each gets its own answer. */
export function sizeFault({ url = "", rawHeaders }: IncomingMessage): ApiError | undefined {
  if (url.length > MAX_URL_BYTES) return uriTooLong();
  let size = 0;
  // Each field travels with `: ` and a line end.
  for (const text of rawHeaders) size += text.length + 2;
  return size > MAX_HEADER_BYTES ? headersTooLarge() : undefined;
}

/** Refuses long addresses and large header blocks. */
export function sizeLimits(): Middleware {
  return async (ctx, next) => {
    const fault = sizeFault(ctx.req);
    if (fault) throw fault;
    await next();
  };
}
