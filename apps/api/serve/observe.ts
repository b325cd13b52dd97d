import type { Middleware } from "koa";
import { matchedRoute } from "@tranche/http/server/matched-route";
import { isProbe } from "@tranche/http/server/traced";
import { withoutKeys } from "@tranche/shared/accounts/without-keys";
import type { Logger } from "@tranche/shared/process/logger";
import type { Metrics } from "./metrics.ts";
import type { RequestLog } from "./request-log.ts";

/** Requests and searches that take longer are logged. */
const SLOW_MS = 1000;

/** A reply that was sent. */
export type Observed = {
  route: string;
  method: string;
  url: string;
  status: number;
  requestId: string;
  /** The caller's IP address. */
  address: string;
  state: RequestTimes & { account?: string | undefined; charge?: { keyId: string } | undefined };
};
export type Observe = (answer: Observed) => void;

/** The steps of a request, by performance.now(). Those that it did not come to are missing. */
type RequestTimes = {
  /** It began. */
  since: number;
  /** Its key, burst and quota were decided on. */
  admittedAt?: number;
  /** Its answer is about to be sent. */
  answeredAt?: number;
  /** How long it waited because its caller wants it to, in ms. */
  waitedMs?: number;
};

/** Logs and counts each reply: slow and failed requests as warnings, all others for debugging. API keys in a URL are not logged. */
export function createObserve(
  log: Logger,
  metrics: Pick<Metrics, "request">,
  requests: Pick<RequestLog, "record">,
): Observe {
  return (answer) => {
    const { route, method, status, requestId, address, state } = answer;
    const end = performance.now();
    const ms = end - state.since;
    metrics.request(answer, ms / 1000);
    const workedMs = ms - (state.waitedMs ?? 0);
    const isSlow = workedMs > SLOW_MS;
    if (!isProbe(route)) {
      const { account, charge } = state;
      requests.record({ account, keyId: charge?.keyId, address, route, status, ms: workedMs, isSlow });
    }
    const level = isSlow || status >= 500 ? "warn" : "debug";
    if (!log.isLevelEnabled(level)) return;
    const url = withoutKeys(answer.url);
    const line = { requestId, account: state.account, method, route, url, status, ms: tenths(ms) };
    log[level]({ ...line, steps: stepsOf(state, end) }, isSlow ? "slow request" : "request");
  };
}

/** The time of each step in ms. `answer` has the search, and its wait for a turn. */
function stepsOf({ since, admittedAt, answeredAt, waitedMs }: RequestTimes, end: number) {
  const decided = admittedAt ?? end;
  const answered = answeredAt ?? end;
  return {
    admission: tenths(decided - since),
    ...(admittedAt !== undefined && { answer: tenths(answered - decided - (waitedMs ?? 0)) }),
    ...(answeredAt !== undefined && { sending: tenths(end - answered) }),
    ...(waitedMs !== undefined && { wait: tenths(waitedMs) }),
  };
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

/** Counts the calls of the search engine, and logs slow ones: `took` is the time that it says it took itself. */
export function createObserveSearch(log: Logger, metrics: Pick<Metrics, "search">) {
  return (index: string, ms: number, took: number | undefined): void => {
    metrics.search(ms / 1000);
    if (ms > SLOW_MS) log.warn({ index, ms: tenths(ms), took }, "slow search");
  };
}

/** Observes the replies of the app. Time in the front cache counts. */
export function observed(observe: Observe): Middleware {
  return async (ctx, next) => {
    ctx.state.since ??= performance.now();
    // Callers who leave have none any more.
    const address = ctx.ip;
    await next();
    observe({
      route: matchedRoute(ctx) ?? "other",
      method: ctx.method,
      url: ctx.url,
      status: ctx.status,
      requestId: ctx.state.requestId as string,
      address,
      state: ctx.state,
    });
  };
}
