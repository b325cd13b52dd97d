import type { Middleware } from "koa";
import { withoutKeys } from "@tranche/shared/accounts/without-keys";
import type { Logger } from "@tranche/shared/log/logger";
import type { Metrics } from "./metrics.ts";

/** A reply that was sent. `since`: when its request began, by performance.now(). */
export type Observed = {
  since: number;
  route: string;
  method: string;
  url: string;
  status: number;
  requestId: string;
  account: string | undefined;
};
export type Observe = (answer: Observed) => void;

/** Logs and counts each reply. API keys in a URL are not logged. */
export function createObserve(log: Logger, metrics: Pick<Metrics, "request">): Observe {
  return (answer) => {
    const seconds = (performance.now() - answer.since) / 1000;
    metrics.request(answer, seconds);
    if (!log.isLevelEnabled("debug")) return;
    const { requestId, method, url, status, account } = answer;
    const ms = Math.round(seconds * 1e4) / 10;
    log.debug({ requestId, method, url: withoutKeys(url), status, ms, account }, "request");
  };
}

/** Observes the replies of the app. Time in the front cache counts. */
export function observed(observe: Observe): Middleware {
  return async (ctx, next) => {
    const since = (ctx.state.since as number | undefined) ?? performance.now();
    await next();
    observe({
      since,
      route: typeof ctx._matchedRoute === "string" ? ctx._matchedRoute : "other",
      method: ctx.method,
      url: ctx.url,
      status: ctx.status,
      requestId: ctx.state.requestId as string,
      account: ctx.state.account as string | undefined,
    });
  };
}
