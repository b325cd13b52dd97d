import type { Call } from "../serve/call.ts";
import { createRequestCache } from "./request-cache.ts";

type ParsedRequests<R> = {
  parse: (call: Call) => R;
  /** Keeps a parsed request for callers who send the same query string, Accept and Prefer. */
  remember: (call: Call, request: R) => void;
};

/** Caches what `parse` makes of the requests to one path. `parse` is pure, and sees nothing that identifies the caller. */
export function createParsedRequests<R extends object>(parse: (call: Call) => R): ParsedRequests<R> {
  const parsed = createRequestCache<R>();
  // None of the three can contain a line end.
  const keyOf = (call: Call) => `${call.url}\n${call.get("Accept")}\n${call.get("Prefer")}`;
  return {
    parse: (call) => parsed.get(keyOf(call)) ?? parse(call),
    remember(call, request) {
      const key = keyOf(call);
      if (parsed.get(key) !== request) parsed.set(key, request);
    },
  };
}
