import { randomUUID } from "node:crypto";
import type { Middleware } from "koa";

const OWN_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** An id that callers and logs share: the caller's own if it is fit to be logged, else a new one. */
export function newRequestId(): string {
  const id = randomUUID();
  return `req_${id.slice(0, 8)}${id.slice(9, 13)}${id.slice(14, 18)}${id.slice(19, 23)}${id.slice(24)}`;
}

/** Gives each request its id and each reply `X-Request-Id`, unless the reply is on its way already. */
export function requestIds(): Middleware {
  return async (ctx, next) => {
    const own = ctx.get("X-Request-Id");
    ctx.state.requestId = own !== "" && OWN_ID.test(own) ? own : newRequestId();
    await next();
    if (!ctx.headerSent) ctx.set("X-Request-Id", ctx.state.requestId);
  };
}
