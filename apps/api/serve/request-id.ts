import { randomBytes } from "node:crypto";
import type { Middleware } from "koa";

const OWN_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Which process it was … */
const PROCESS = randomBytes(8).toString("hex");
/** … and which of its requests. */
let requests = 0;

/** An id that callers and logs share. It names a request and is no secret, so it need not be hard to guess. */
export const newRequestId = (): string => `req_${PROCESS}${(++requests).toString(16).padStart(16, "0")}`;

/** Gives each request its id (the caller's own if it is fit to be logged, else a new one) and each reply `X-Request-Id`, unless the reply is on its way already. */
export function requestIds(): Middleware {
  return async (ctx, next) => {
    const own = ctx.get("X-Request-Id");
    ctx.state.requestId = own !== "" && OWN_ID.test(own) ? own : newRequestId();
    await next();
    if (!ctx.headerSent) ctx.set("X-Request-Id", ctx.state.requestId);
  };
}
