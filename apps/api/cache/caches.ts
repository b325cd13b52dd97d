import type { Settle } from "../admission/settle.ts";
import type { RedisGateway } from "../redis/gateway.ts";
import type { Observe } from "../serve/observe.ts";
import type { ListCaches } from "./cached-list.ts";
import { createFrontCache, pageBytes } from "./front-cache.ts";
import { createGenerations } from "./generations.ts";
import { createSingleFlight } from "./single-flight.ts";
import { createValidatedCache } from "./validated-cache.ts";

/** Finished pages of a process. */
const PAGES_BYTES = 64 * 1024 * 1024;

/** The caches that wrap the lists. `front`: whether there is one in front of Koa, too. */
export function createListCaches(parts: {
  gateway: RedisGateway;
  namespace: string;
  settle: Settle;
  observe: Observe;
  front: boolean;
}): ListCaches {
  return {
    generations: createGenerations(parts.gateway, parts.namespace),
    pages: createSingleFlight(createValidatedCache({ maxBytes: PAGES_BYTES, bytesOf: pageBytes })),
    front: parts.front ? createFrontCache(parts.settle, parts.observe) : undefined,
  };
}
