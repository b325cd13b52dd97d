import { fileURLToPath } from "node:url";
import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { createMonthCountBackup } from "@tranche/shared/accounts/month-count-backup";
import { oauthIfOn } from "@tranche/shared/accounts/oauth-addresses";
import type { Logger } from "@tranche/shared/process/logger";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { ensureOrAwaitIndices } from "@tranche/read-models/indices/presence";
import { type IndexNames, indexNames } from "@tranche/shared/engines/search/index-names";
import { untilSearchable } from "@tranche/shared/engines/search/searchable";
import { createTiming } from "@tranche/shared/process/timing";
import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import { onTrouble } from "@tranche/shared/engines/redis/trouble";
import { elasticsearchOf, waitForEngines } from "@tranche/shared/engines/from-settings";
import { watchPlans } from "@tranche/shared/accounts/plans-file";
import { publicPath } from "@tranche/shared/process/public-path";
import { clockOf, type Settings } from "@tranche/shared/process/settings";
import { readDealTypes } from "@tranche/shared/process/vocabulary-file";
import { createAdmission } from "./admission/admission.ts";
import { joinPeers } from "./admission/peers.ts";
import { createCountersConnection } from "./redis/connection.ts";
import { createExports } from "./exports/exports.ts";
import { createFeedReader } from "./changes/changes.ts";
import { createGivenPositions } from "./changes/given-positions.ts";
import { createPositionsByTime } from "./changes/positions-by-time.ts";
import { createFeedWatch } from "./changes/watch.ts";
import { createSlots, EXPORTS, SLOT_LIMITS, WAIT_LIMITS, WAITS } from "./exports/slots.ts";
import { createRedisGateway } from "./redis/gateway.ts";
import { createReadMcpRequests } from "./redis/mcp-requests.ts";
import { createReadPublishing } from "./redis/open-writes.ts";
import { createApp } from "./app.ts";
import { createListCaches } from "./cache/caches.ts";
import { createFeedLinks } from "./feed-links/feed-links.ts";
import { createFindNames } from "./name-search/find-names.ts";
import { createKnownValues } from "./name-search/values.ts";
import { createPagerCaches } from "./paging/caches.ts";
import { createPager } from "./paging/pager.ts";
import { assertAnswerable } from "./search/answerable.ts";
import { createPointsInTime } from "./search/point-in-time.ts";
import { createLackingFields, lackingFields } from "./search/lacking-fields.ts";
import { createSearch } from "./search/search.ts";
import { createUnknownItems } from "./search/unknown-items.ts";
import { createTurns } from "./serve/turns.ts";
import type { Metrics } from "./serve/metrics.ts";
import { createObserve, createObserveSearch } from "./serve/observe.ts";
import { observeSpans } from "./serve/observe-spans.ts";
import { createReadiness } from "@tranche/http/server/readiness";
import { closeServer, createHttpServer, listen } from "@tranche/http/server/server";
import { traced } from "@tranche/http/server/traced";

/** A search that takes longer is cancelled, so that the caller gets a 503 before it gives up itself. */
const SEARCH_TIMEOUT_MS = 8000;
/** How long the start waits for indices that exist but cannot be searched yet. */
const SEARCHABLE_WITHIN_S = 30;
/** Requests under way may end within this time. */
const CLOSE_WITHIN_MS = 10_000;
/** Exports have to end a little earlier, so that what they hold is given back. */
const EXPORTS_CLOSE_WITHIN_MS = 9000;
const BUILT_DOCS = fileURLToPath(new URL("../../web/dist/docs", import.meta.url));

/** An API process that listens. */
export type Serving = {
  /** Its address, with the real port if the setting is 0. */
  address: string;
  /** Makes /health/ready fail while requests are still answered. */
  drain: () => void;
  /** Finishes requests under way, then closes everything. */
  close: () => Promise<void>;
};

/**
 * Wires one API process and listens. Waits a minute for the engines, then half a minute for indices that cannot be searched yet.
 * Rejects with a text for people when the engines stay away or the port is taken. `traced`: each request is a span.
 */
export async function serve(
  settings: Settings,
  log: Logger,
  metrics: Metrics,
  { traced: isTraced = false }: { traced?: boolean } = {},
): Promise<Serving> {
  const names = indexNames(settings.TRANCHE_NAMESPACE);
  const { client, redis } = await connectEngines(settings, names, log);
  const timing = createTiming(settings.TRANCHE_PAUSES);
  const plans = watchPlans(settings.TRANCHE_PLANS_FILE, timing.plansLook, log);
  const gateway = createRedisGateway(redis, {
    key: queuePrefix(settings.TRANCHE_NAMESPACE),
    report: metrics.redisAway,
    log,
    now: Date.now,
  });
  const peers = await joinPeers(gateway, {
    namespace: settings.TRANCHE_NAMESPACE,
    atLeast: settings.TRANCHE_API_PROCESSES,
    log,
  });
  const admission = createAdmission({
    gateway,
    namespace: settings.TRANCHE_NAMESPACE,
    accounts: createAccountStore(client, names),
    months: createMonthCountBackup(redis, settings.TRANCHE_NAMESPACE, { client, index: names.accounts }),
    plans: plans.current,
    processes: peers.count,
    metrics,
    log,
    timing,
    now: Date.now,
  });
  const readiness = createReadiness({
    ask: async () => {
      admission.assertOpen();
      await assertAnswerable(client, names);
    },
    graceMs: settings.TRANCHE_READY_GRACE_SECONDS * 1000,
  });
  const searching = { timeoutMs: SEARCH_TIMEOUT_MS, observe: createObserveSearch(log, metrics) };
  const search = createSearch(client, searching);
  const lacking = createLackingFields((model) => lackingFields(client, names, model), timing.lackingFields);
  const openPointInTime = createPointsInTime(client, searching);
  const exports = createExports({
    slots: createSlots(gateway, settings.TRANCHE_NAMESPACE, SLOT_LIMITS, EXPORTS),
    openPointInTime,
    metrics,
    log,
  });
  const watch = createFeedWatch(gateway, settings.TRANCHE_NAMESPACE, timing);
  const observe = isTraced ? observeSpans(createObserve(log, metrics)) : createObserve(log, metrics);
  const caches =
    settings.TRANCHE_CACHE === "off"
      ? undefined
      : createListCaches({
          client,
          names,
          gateway,
          namespace: settings.TRANCHE_NAMESPACE,
          settle: admission.settle,
          observe,
          count: metrics.listAnswer,
          front: settings.TRANCHE_CACHE === "on",
        });
  const knownValues = createKnownValues({ search, names, generations: caches?.generations });
  const oauth = oauthIfOn(settings, log);
  const listener = createApp(
    {
      names,
      dealTypes: readDealTypes(settings.TRANCHE_VOCABULARY_FILE),
      search,
      lacking,
      unknownItems: createUnknownItems(search),
      turns: createTurns(),
      knownValues,
      findNames: createFindNames({ search, names, knownValues }),
      identify: admission.identify,
      admit: admission.admit,
      checkKey: admission.checkKey,
      feedLinks: createFeedLinks({ client, names, gateway, namespace: settings.TRANCHE_NAMESPACE, now: Date.now }),
      feed: {
        watch,
        changes: createFeedReader({ search, watch }),
        waits: createSlots(gateway, settings.TRANCHE_NAMESPACE, WAIT_LIMITS, WAITS),
        positions: createGivenPositions(client, names),
        // Real time, as tickets are.
        byTime: createPositionsByTime({ client, names, search, now: Date.now }),
      },
      mcpRequests: createReadMcpRequests(gateway, settings.TRANCHE_NAMESPACE),
      publishing: createReadPublishing(gateway, settings.TRANCHE_NAMESPACE),
      settle: admission.settle,
      recordError: admission.recordError,
      page: createPager({ search, ...createPagerCaches() }),
      openPointInTime,
      exports,
      caches,
      publicUrl: settings.TRANCHE_PUBLIC_URL,
      publicPath: publicPath(settings),
      oauth,
      docs: { folder: BUILT_DOCS, dashboardUrl: settings.TRANCHE_DASHBOARD_URL },
      now: clockOf(settings),
      ready: readiness.check,
      observe,
      log,
    },
    { trustedProxies: settings.TRANCHE_TRUSTED_PROXIES, mcpOrigins: settings.TRANCHE_MCP_ORIGINS },
  );

  // Each process notes that its engines were there once, whichever of them a probe asks first.
  await readiness.check().catch(() => {});
  const server = createHttpServer(isTraced ? traced(listener) : listener, {
    publicPath: publicPath(settings),
    maxConnections: settings.TRANCHE_MAX_CONNECTIONS,
  });
  const address = await listen(server, settings.PORT, settings.HOST);
  return {
    address,
    drain: readiness.drain,
    async close() {
      watch.close();
      caches?.close();
      await Promise.all([closeServer(server, CLOSE_WITHIN_MS), exports.close(EXPORTS_CLOSE_WITHIN_MS)]);
      // Until here it may still admit requests, so the others count it.
      await Promise.all([admission.close(), peers.close()]);
      plans.close();
      await client.close();
      redis.disconnect();
    },
  };
}

/** The clients of both engines, when the engines answer and the indices are there. */
async function connectEngines(settings: Settings, names: IndexNames, log: Logger) {
  const client = createSearchClient(elasticsearchOf(settings), {
    connections: 32,
    requestTimeoutMs: SEARCH_TIMEOUT_MS + 1000,
  });
  // Requests never wait for Redis to come back: they fail at once.
  const redis = createCountersConnection(settings.REDIS_URL, settings.REDIS_CA_FILE);
  // ioredis reconnects after each error; the gateway logs what people need to know.
  onTrouble(redis, (reason) => log.debug({ reason }, "the connection to Redis failed"));

  const tell = (line: string) => log.warn(line);
  await waitForEngines(settings, { client, redis }, tell);
  const layout = { shards: settings.TRANCHE_SHARDS, replicas: settings.TRANCHE_REPLICAS };
  const indices = await ensureOrAwaitIndices(client, names, layout, tell);
  const unsearchable = await untilSearchable(client, indices, SEARCHABLE_WITHIN_S);
  if (unsearchable.length > 0) {
    log.error(
      { indices: unsearchable },
      "these indices have no shard to search; requests that need them get 503 until Elasticsearch has them again",
    );
  }
  return { client, redis };
}
