import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Middleware } from "koa";

/** What a caller's own id may be. An API key would fit, and must not be logged. */
const OWN_ID = /^(?!.*trn_)[A-Za-z0-9_-]{1,64}$/;

/** Which process it was … */
const PROCESS = randomBytes(8).toString("hex");
/** … and which of its requests. */
let requests = 0;

/** An id that callers and logs share. It names a request and is no secret, so it need not be hard to guess. */
export const newRequestId = (): string => `req_${PROCESS}${(++requests).toString(16).padStart(16, "0")}`;

/** The id of a request: the caller's own if it is fit to be logged, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const own = headers["x-request-id"];
  return typeof own === "string" && OWN_ID.test(own) ? own : newRequestId();
}

/** Gives each request its id and each reply `X-Request-Id`, unless that is on its way already. */
export function requestIds(): Middleware {
  return async (ctx, next) => {
    ctx.state.requestId = requestIdOf(ctx.req);
    await next();
    if (!ctx.headerSent) ctx.set("X-Request-Id", ctx.state.requestId);
  };
}
