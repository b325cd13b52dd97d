import { trace } from "@opentelemetry/api";
import { withoutKeys } from "@tranche/shared/accounts/without-keys";
import type { Observe } from "./observe.ts";

/** Gives the span of a request its route, its account and the times of its steps. */
export function observeSpans(observe: Observe): Observe {
  return (answer) => {
    const { method, route, url, requestId, state } = answer;
    const span = trace.getActiveSpan();
    const [path = "", query] = withoutKeys(url).split("?", 2);
    span?.updateName(`${method} ${route}`);
    span?.setAttributes({
      "http.route": route,
      "url.path": path,
      ...(query !== undefined && { "url.query": query }),
      "tranche.request_id": requestId,
      ...(state.account !== undefined && { "tranche.account": state.account }),
    });
    if (state.admittedAt !== undefined) span?.addEvent("admitted", {}, state.admittedAt);
    if (state.answeredAt !== undefined) span?.addEvent("answered", {}, state.answeredAt);
    observe(answer);
  };
}
