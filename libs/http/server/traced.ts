import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Middleware } from "koa";
import type { Listener } from "./server.ts";
import { matchedRoute } from "./matched-route.ts";

/** Paths that monitoring asks for every few seconds. */
const PROBES = /^\/(?:health|metrics)\b/;

/** Whether monitoring sends a request, no caller. `path`: a path, or the pattern of one. */
export const isProbe = (path: string): boolean => PROBES.test(path);

/** Answers each request but those of probes in a span of its own, which continues the trace that the caller names in `traceparent`. */
export function traced(listener: Listener): Listener {
  const tracer = trace.getTracer("tranche");
  return (request, response) => {
    if (isProbe(request.url ?? "")) return listener(request, response);
    const caller = propagation.extract(ROOT_CONTEXT, request.headers);
    // Its observer gives it the name of the route.
    const span = tracer.startSpan(request.method ?? "", { kind: SpanKind.SERVER }, caller);
    response.once("close", () => {
      span.setAttribute("http.request.method", request.method ?? "");
      span.setAttribute("http.response.status_code", response.statusCode);
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    return context.with(trace.setSpan(caller, span), () => listener(request, response));
  };
}

/** Names the span of a request after the route that answers it. Neither path nor query is noted: they may hold the secret of a link. */
export function namedSpans(): Middleware {
  return async (ctx, next) => {
    await next();
    const route = matchedRoute(ctx);
    if (route === undefined) return;
    trace.getActiveSpan()?.updateName(`${ctx.method} ${route}`).setAttribute("http.route", route);
  };
}

/** Headers by which another process continues the trace of the request under way; none where nothing is traced. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}
