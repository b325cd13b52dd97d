import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Listener } from "./server.ts";

/** Answers each request in a span of its own, which continues the trace that the caller names in `traceparent`. */
export function traced(listener: Listener): Listener {
  const tracer = trace.getTracer("tranche");
  return (request, response) => {
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
