import type { Exchange, Target } from "../load/exchange.ts";
import type { Options } from "../benchmark.ts";
import { type Api, startApi } from "../environment/api.ts";
import { processMeter } from "../environment/meters.ts";
import type { Environment } from "../environment/environment.ts";
import { searchBody } from "./search-body.ts";

export type ListName = "funding" | "signals";
const MODEL = { funding: "funding", signals: "companies" } as const;

/** The API, asked for a list. */
export function apiTarget(environment: Environment, api: Api, list: ListName, next: () => string): Target {
  return {
    name: "API",
    origin: api.origin,
    headers: { authorization: `Bearer ${api.key}` },
    next: () => ({ method: "GET", path: `/api/v1/${list}?${next()}` }),
    meters: {
      API: processMeter(api.process.pid),
      Redis: environment.meters.redis,
      ES: environment.meters.elasticsearch,
    },
  };
}

/** The API without its front cache, if it is to be measured, as one more target. */
export async function withoutFrontTargets(
  environment: Environment,
  { withoutFront }: Pick<Options, "withoutFront">,
  list: ListName,
  next: () => string,
): Promise<{ targets: Target[]; stop: () => Promise<void> }> {
  if (!withoutFront) return { targets: [], stop: async () => {} };
  const without = { ...environment, env: { ...environment.env, TRANCHE_CACHE: "without-front" } };
  const { target, stop } = await anotherApi(without, "API without front cache", list, next);
  return { targets: [target], stop };
}

/** Another API on the same engines, as a target. */
export async function anotherApi(
  environment: Environment,
  name: string,
  list: ListName,
  next: () => string,
  options: Partial<Pick<Options, "profile">> = {},
) {
  const api = await startApi(environment, options);
  return { target: { ...apiTarget(environment, api, list, next), name }, stop: () => api.process.stop() };
}

/** Where Elasticsearch is, and the headers of a request to it. */
export function engineAddress({ engines }: Environment): Pick<Target, "origin" | "headers"> {
  const { origin, username, password } = new URL(engines.elasticsearchUrl);
  const basic: Record<string, string> =
    username === "" ? {} : { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
  return { origin, headers: { "content-type": "application/json", ...basic } };
}

/** Elasticsearch alone, asked for the same by the same search. Bodies of a query string are made once. */
export function engineTarget(environment: Environment, list: ListName, next: () => string): Target {
  const path = `/${environment.names.role(MODEL[list], "live")}/_search?allow_partial_search_results=false`;
  const made = new Map<string, Exchange>();
  return {
    name: "Elasticsearch alone",
    ...engineAddress(environment),
    next() {
      const query = next();
      const exchange = made.get(query) ?? { method: "POST", path, body: searchBody(list, query) };
      made.set(query, exchange);
      return exchange;
    },
    meters: { ES: environment.meters.elasticsearch },
  };
}
