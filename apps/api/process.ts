import { randomUUID } from "node:crypto";
import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { createMonthCountBackup } from "@tranche/shared/accounts/month-count-backup";
import type { Logger } from "@tranche/shared/process/logger";
import { watchPlans } from "@tranche/shared/accounts/plans-file";
import { createRequestSums, requestSumsKey } from "@tranche/shared/accounts/request-sums";
import { publicPath } from "@tranche/shared/process/public-path";
import { clockOf, type Settings } from "@tranche/shared/process/settings";
import { type Admission, createAdmission } from "./admission/admission.ts";
import { joinPeers } from "./admission/peers.ts";
import { createExports } from "./exports/exports.ts";
import { createSlots, EXPORTS, SLOT_LIMITS } from "./exports/slots.ts";
import { createApp } from "./app.ts";
import { accountParts, addressParts, feedParts, searchingParts } from "./create-parts.ts";
import { type Base, connectEngines } from "./engines.ts";
import { createListCaches } from "./cache/caches.ts";
import { RedisAway } from "./redis/silence-timeout.ts";
import { assertAnswerable } from "./search/answerable.ts";
import { createTurns } from "./serve/turns.ts";
import type { Metrics } from "./serve/metrics.ts";
import { createObserve, type Observe } from "./serve/observe.ts";
import { createRequestLog, type RequestLog } from "./serve/request-log.ts";
import { observeSpans } from "./serve/observe-spans.ts";
import { createReadiness } from "@tranche/http/server/readiness";
import { closeServer, createHttpServer, listen } from "@tranche/http/server/server";
import { traced } from "@tranche/http/server/traced";

/** Requests under way may end within this time. */
const CLOSE_WITHIN_MS = 10_000;
/** Exports have to end a little earlier, so that what they hold is given back. */
const EXPORTS_CLOSE_WITHIN_MS = 9000;

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
  const base = await connectEngines(settings, log, metrics);
  const { admission, close: closeAdmission } = await startAdmission(base);
  const readiness = createReadiness({
    ask: async () => {
      admission.assertOpen();
      await assertAnswerable(base.client, base.names);
    },
    graceMs: settings.TRANCHE_READY_GRACE_SECONDS * 1000,
  });
  const requests = requestLogOf(base);
  const observeAll = createObserve(log, metrics, requests);
  const observe = isTraced ? observeSpans(observeAll) : observeAll;
  const caches = settings.TRANCHE_CACHE === "off" ? undefined : cachesOf(base, admission, observe);
  const searching = searchingParts(base, caches);
  const exports = createExports({
    slots: createSlots(base.gateway, base.namespace, SLOT_LIMITS, EXPORTS),
    openPointInTime: searching.openExport,
    metrics,
    log,
  });
  const feed = feedParts(base, searching.search);
  const listener = createApp(
    {
      ...searching,
      ...accountParts(base, admission),
      ...addressParts(settings, log),
      feed,
      exports,
      caches,
      turns: createTurns(),
      now: clockOf(settings),
      timing: base.timing,
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
      feed.watch.close();
      caches?.close();
      await Promise.all([closeServer(server, CLOSE_WITHIN_MS), exports.close(EXPORTS_CLOSE_WITHIN_MS)]);
      await Promise.all([closeAdmission(), requests.close()]);
      await Promise.all([base.client.close(), base.patientClient.close()]);
      base.redis.disconnect();
    },
  };
}

/** Admission, and what it watches: the plans in force and the other API processes. */
async function startAdmission({ settings, client, redis, names, namespace, gateway, timing, metrics, log }: Base) {
  const plans = watchPlans(settings.TRANCHE_PLANS_FILE, timing.plansLook, log);
  const peers = await joinPeers(gateway, { namespace, atLeast: settings.TRANCHE_API_PROCESSES, log });
  const admission = createAdmission({
    gateway,
    namespace,
    accounts: createAccountStore(client, names),
    months: createMonthCountBackup(redis, namespace, { client, index: names.accounts }),
    plans: plans.current,
    processes: peers.count,
    metrics,
    log,
    timing,
    now: Date.now,
  });
  const close = async () => {
    // Until here it may still admit requests, so the others count it.
    await Promise.all([admission.close(), peers.close()]);
    plans.close();
  };
  return { admission, close };
}

/** Writes who sends what while Redis answers. */
function requestLogOf({ redis, gateway, namespace, timing, log }: Base): RequestLog {
  const stored = createRequestSums(redis, namespace);
  const name = randomUUID();
  return createRequestLog({
    async write(minute, sums) {
      const { outage, withTimeout } = gateway.nodeStateOf(requestSumsKey(namespace, minute));
      if (outage.lasts() !== undefined) throw new RedisAway("Redis is away");
      await withTimeout(stored.write(name, minute, sums));
    },
    log,
    everyMs: timing.requestSumsWrite,
    now: Date.now,
  });
}

function cachesOf(
  { settings, client, names, gateway, namespace, metrics }: Base,
  { settle }: Admission,
  observe: Observe,
) {
  const front = settings.TRANCHE_CACHE === "on";
  return createListCaches({ client, names, gateway, namespace, settle, observe, count: metrics.listAnswer, front });
}
