import type { Middleware } from "koa";
import type { Identify } from "../admission/identify.ts";
import { begunOf } from "./replayed.ts";

/** Refuses whoever names no key that may be right, before an address reads anything else of the request. */
export function identified(identify: Identify): Middleware {
  return async (ctx, next) => {
    await (begunOf(ctx) ?? identify(ctx));
    await next();
  };
}
