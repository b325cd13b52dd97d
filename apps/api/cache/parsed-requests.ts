import type { Context } from "koa";
import { createRequestCache } from "./request-cache.ts";

export type ParsedRequests<R> = {
  parse: (ctx: Context) => R;
  /** Keeps a parsed request for callers who send the same query string, Accept and Prefer. */
  remember: (ctx: Context, request: R) => void;
};

/** Caches what `parse` makes of the requests to one path. `parse` is pure, and sees nothing that identifies the caller. */
export function createParsedRequests<R extends object>(parse: (ctx: Context) => R): ParsedRequests<R> {
  const parsed = createRequestCache<R>();
  // None of the three can contain a line end.
  const keyOf = (ctx: Context) => `${ctx.req.url}\n${ctx.get("Accept")}\n${ctx.get("Prefer")}`;
  return {
    parse: (ctx) => parsed.get(keyOf(ctx)) ?? parse(ctx),
    remember(ctx, request) {
      const key = keyOf(ctx);
      if (parsed.get(key) !== request) parsed.set(key, request);
    },
  };
}
