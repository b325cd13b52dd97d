import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Middleware } from "koa";

/** Ids that callers may choose. API keys and tokens are excluded, because ids are logged. */
const OWN_ID = /^(?!.*tr[ncfior]_)[A-Za-z0-9_-]{1,64}$/;

/** Identifies the process. */
const PROCESS = randomBytes(8).toString("hex");
/** Counts the requests of the process. */
let requests = 0;

/** An id that callers and logs share. It is not a secret, so it need not be hard to guess. */
export const newRequestId = (): string => `req_${PROCESS}${(++requests).toString(16).padStart(16, "0")}`;

/** The id of a request: the caller's own if it may be logged, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const own = headers["x-request-id"];
  return typeof own === "string" && OWN_ID.test(own) ? own : newRequestId();
}

/** Gives each request its id and each reply `X-Request-Id`, unless its headers were sent already. */
export function requestIds(): Middleware {
  return async (ctx, next) => {
    ctx.state.requestId = requestIdOf(ctx.req);
    await next();
    if (!ctx.headerSent) ctx.set("X-Request-Id", ctx.state.requestId);
  };
}
