import type { Client } from "@elastic/elasticsearch";
import { type IndexNames, READ_MODELS } from "@tranche/shared/engines/search/index-names";
import type { Settle } from "../admission/settle.ts";
import type { RedisGateway } from "../redis/gateway.ts";
import type { Metrics } from "../serve/metrics.ts";
import type { Observe } from "../serve/observe.ts";
import { ChangeLog } from "./change-log.ts";
import type { ListCaches } from "./cached-list.ts";
import { createFrontCache, pageBytes } from "./front-cache.ts";
import { createGenerations } from "./generations.ts";
import { createSingleFlight } from "./single-flight.ts";
import { createValidatedCache } from "./validated-cache.ts";
import { watchUnchanged } from "./watch-unchanged.ts";

/** Finished pages of a process. */
const PAGES_BYTES = 64 * 1024 * 1024;

/** The caches that wrap the lists, until they are closed. `front`: whether there is one in front of Koa, too. */
export function createListCaches(parts: {
  client: Client;
  names: IndexNames;
  gateway: RedisGateway;
  namespace: string;
  settle: Settle;
  observe: Observe;
  /** Counts the answers of lists. */
  count: Metrics["listAnswer"];
  front: boolean;
}): ListCaches & { close: () => void } {
  const logs = new Map(READ_MODELS.map((model) => [model, new ChangeLog()]));
  const { documents, close } = watchUnchanged(parts.client, parts.names, logs);
  return {
    close,
    documents,
    count: parts.count,
    generations: createGenerations(parts.gateway, parts.namespace, logs),
    pages: createSingleFlight(createValidatedCache({ maxBytes: PAGES_BYTES, bytesOf: pageBytes })),
    front: parts.front ? createFrontCache(parts.settle, parts.observe, parts.count.front) : undefined,
  };
}
