import type { Middleware } from "koa";
import type { Logger } from "@tranche/shared/log/logger";
import type { Metrics } from "./metrics.ts";

/** Logs and counts each answer. Keys that somebody put into an address are not logged. */
export function observed(log: Logger, metrics: Metrics): Middleware {
  return async (ctx, next) => {
    const start = performance.now();
    await next();
    const seconds = (performance.now() - start) / 1000;
    const route = typeof ctx._matchedRoute === "string" ? ctx._matchedRoute : "other";
    metrics.request({ route, method: ctx.method, status: ctx.status }, seconds);
    if (!log.isLevelEnabled("debug")) return;
    log.debug(
      {
        requestId: ctx.state.requestId,
        method: ctx.method,
        url: ctx.url.replace(/trn_\w*/gi, "[redacted]"),
        status: ctx.status,
        ms: Math.round(seconds * 1e4) / 10,
        account: ctx.state.account,
      },
      "request",
    );
  };
}
