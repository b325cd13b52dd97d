import type { Context } from "koa";
import type { Refuse } from "../admission/refuse.ts";
import { ApiError, notFound } from "../errors/api-error.ts";

const METHODS = "GET, HEAD, OPTIONS";

/** Answers the requests that the router left: OPTIONS, unsupported methods, unknown paths. It comes last. */
export function unrouted(refuse: Refuse) {
  return async (ctx: Context): Promise<void> => {
    // Set by the router: the routes of this path for all methods.
    const matched = (ctx.matched as readonly unknown[] | undefined) ?? [];
    if (matched.length === 0) {
      return refuse(
        ctx,
        notFound(`There is no endpoint ${ctx.path.slice(0, 200)}. All endpoints are listed at /docs.`),
      );
    }
    ctx.set("Allow", METHODS);
    if (ctx.method !== "OPTIONS") {
      return refuse(ctx, new ApiError("method_not_allowed", "The API is read-only: use GET or HEAD."));
    }
    ctx.status = 200;
    ctx.body = "";
  };
}
