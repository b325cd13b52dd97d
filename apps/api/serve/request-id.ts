import { randomUUID } from "node:crypto";
import type { Middleware } from "koa";

const OWN_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** An id that callers and logs share: the caller's own if it is fit to be logged, else a new one. */
export const newRequestId = (): string => `req_${randomUUID().replaceAll("-", "")}`;

/** Gives each request its id and each reply `X-Request-Id`. */
export function requestIds(): Middleware {
  return async (ctx, next) => {
    const own = ctx.get("X-Request-Id");
    ctx.state.requestId = OWN_ID.test(own) ? own : newRequestId();
    ctx.set("X-Request-Id", ctx.state.requestId);
    await next();
  };
}
