import { fileURLToPath } from "node:url";
import { readBuiltSite } from "@tranche/http/server/built-site";
import { serveMetrics } from "@tranche/http/server/metrics-port";
import { createReadiness } from "@tranche/http/server/readiness";
import { closeServer, openPort } from "@tranche/http/server/server";
import { traced } from "@tranche/http/server/traced";
import { oauthIfOn } from "@tranche/shared/accounts/oauth-addresses";
import type { Plans } from "@tranche/shared/accounts/plans";
import { watchPlans } from "@tranche/shared/accounts/plans-file";
import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import { reachRedis } from "@tranche/shared/engines/redis/connection-errors";
import { apiUrl } from "@tranche/shared/process/api-url";
import { dashboardUrl, signInUrl } from "@tranche/shared/process/dashboard-url";
import type { Logger } from "@tranche/shared/process/logger";
import { publicPath } from "@tranche/shared/process/public-path";
import type { Settings } from "@tranche/shared/process/settings";
import type { Tracing } from "@tranche/shared/process/tracing";
import { readDealTypes } from "@tranche/shared/process/vocabulary-file";
import { readFeedState } from "@tranche/shared/protocol/feed/state";
import { queueAccess } from "@tranche/shared/protocol/queue/access";
import { closeQueues } from "@tranche/shared/protocol/queue/close-queues";
import { QUEUES, type WebhookJob } from "@tranche/shared/protocol/queue/queues";
import { createWebhookFilters } from "@tranche/webhooks/followed-lists";
import { createWebhooks } from "@tranche/webhooks/operations";
import { fromNow } from "@tranche/webhooks/progress";
import { receiverAgent } from "@tranche/webhooks/receiver-agent";
import { FEED_OF_LIST } from "@tranche/webhooks/webhook";
import { urlRules } from "@tranche/webhooks/webhook-url";
import { Queue } from "bullmq";
import { createApp } from "./app.ts";
import { createDigests } from "./digests.ts";
import { type Base, connectEngines } from "./engines.ts";
import { createApiClient } from "./explore/api-client.ts";
import { createMails } from "./mails.ts";
import { createReadClientDocument } from "./oauth/client-document.ts";
import { createFindClient } from "./oauth/client.ts";
import { createChanges } from "./requests/changes.ts";
import { startCleanUp } from "./sessions/clean-up.ts";
import { createSessionCookie } from "./sessions/cookie.ts";
import { createFindSession } from "./sessions/find-session.ts";
import { createRequireSession } from "./sessions/signed-in.ts";
import { createUseNotes } from "./sessions/use-notes.ts";
import { createStores, type DashboardParts, type Stores } from "./routes/parts.ts";

const CLOSE_WITHIN_MS = 10_000;
const PAGES = fileURLToPath(new URL("../../web/dist/dashboard", import.meta.url));

/** A dashboard that listens. */
type Serving = {
  address: string;
  /** Makes /health/ready fail while requests are still answered. */
  drain: () => void;
  close: () => Promise<void>;
};

/** Wires the dashboard and listens. Waits a minute for the engines. Rejects with a text for people. With `tracing`, each request is a span. */
export async function serve(settings: Settings, log: Logger, tracing: Tracing | undefined): Promise<Serving> {
  const base = await connectEngines(settings, log);
  const readiness = readinessOf(base);
  const site = readBuiltSite(PAGES);
  const plans = watchPlans(settings.TRANCHE_PLANS_FILE, base.timing.plansLook, log);
  const stores = createStores(base);
  const metricsPort = await openMetricsPort(base);
  const { server, address, answer } = await openPort({
    port: settings.TRANCHE_DASHBOARD_PORT,
    host: settings.HOST,
    publicPath: publicPath(settings),
    maxConnections: settings.TRANCHE_MAX_CONNECTIONS,
  });
  const reached = { ...settings, TRANCHE_DASHBOARD_PORT: Number(new URL(address).port) };
  const mails = createMails(base, reached, stores);
  const digests = createDigests(base, reached, stores, { mailer: mails.mailer, plans: plans.current });
  const followed = createFollowed(base, plans.current, tracing);
  const applications = createApplications(base, reached, stores);
  const api = createApiClient(settings.TRANCHE_API_URL);
  const app = createApp(
    {
      ...stores,
      ...sessionParts(stores, reached, log),
      ...followed.parts,
      ...applications.parts,
      slack: digests.slack,
      invite: mails.invite,
      signInLinks: mails.signInLinks,
      signInUrl: (secret) => signInUrl(reached, secret),
      plans: plans.current,
      api,
      publicApiUrl: apiUrl(settings),
      log,
    },
    site,
    {
      trustedProxies: settings.TRANCHE_TRUSTED_PROXIES,
      address: dashboardUrl(reached),
      publicPath: publicPath(settings),
      ready: readiness.check,
      count: base.metrics.count,
    },
  );
  answer(tracing ? traced(app) : app);
  const stopMails = mails.start();
  const stopDigests = digests.start();
  const stopCleanUp = cleanUp(stores, log);

  // Its engines were there just now.
  await readiness.check().catch(() => {});
  return {
    address,
    drain: readiness.drain,
    async close() {
      stopCleanUp();
      stopMails();
      await stopDigests();
      await metricsPort?.close();
      await closeServer(server, CLOSE_WITHIN_MS);
      await mails.close();
      await digests.close();
      plans.close();
      await api.close();
      await applications.close();
      await followed.close();
      await base.client.close();
      base.redis.disconnect();
      await tracing?.close();
    },
  };
}

function readinessOf({ settings, client, redis, names, namespace }: Base) {
  return createReadiness({
    // Without accounts and sessions no page can be answered.
    ask: () =>
      Promise.all([
        client.search({ index: [names.accounts, names.dashboard], size: 0, allow_partial_search_results: false }),
        reachRedis(redis, queuePrefix(namespace)),
      ]),
    graceMs: settings.TRANCHE_READY_GRACE_SECONDS * 1000,
  });
}

/** Undefined where the settings have no port for metrics. */
async function openMetricsPort({ settings, metrics, log }: Base) {
  const { TRANCHE_DASHBOARD_METRICS_PORT: port } = settings;
  if (port === undefined) return undefined;
  return serveMetrics(port, settings, { metrics: () => metrics.registry.metrics(), log });
}

/** The sessions of members, their cookie, and how often they change things. */
function sessionParts({ accounts, sessionsAs, limits, knownSessions }: Stores, reached: Settings, log: Logger) {
  const cookie = createSessionCookie(dashboardUrl(reached));
  const changes = createChanges(limits);
  const findSession = createFindSession(sessionsAs("dashboard"), knownSessions);
  const noteUse = createUseNotes(accounts, knownSessions, log);
  return { cookie, changes, findSession, requireSession: createRequireSession(cookie, findSession, changes, noteUse) };
}

/** Webhooks and follows: what gets the changes of a list. */
function createFollowed(
  { settings, client, redis, names, namespace }: Base,
  plans: () => Plans,
  tracing: Tracing | undefined,
) {
  const dealTypes = readDealTypes(settings.TRANCHE_VOCABULARY_FILE);
  // The connection logs its own errors.
  const queue = new Queue<WebhookJob>(QUEUES.webhooks, queueAccess(redis, namespace, tracing?.telemetry)).on(
    "error",
    () => {},
  );
  const parts: Pick<DashboardParts, "webhooksAs" | "followFilters" | "followsFrom"> = {
    webhooksAs: (actor) => createWebhooks({ client, redis, names, queue, settings, plans, dealTypes, actor }),
    followFilters: createWebhookFilters(dealTypes),
    followsFrom: async (list) => fromNow(await readFeedState(redis, namespace, FEED_OF_LIST[list])),
  };
  return { parts, close: () => closeQueues([queue]) };
}

/** Applications that members connect by OAuth, and their documents. */
function createApplications({ settings, log }: Base, reached: Settings, { clients }: Stores) {
  const documents = receiverAgent(settings.TRANCHE_WEBHOOK_TARGETS);
  const readDocument = createReadClientDocument(documents, urlRules(settings), (clientId, { message: reason }) =>
    log.info({ clientId, reason }, "the document of an application can't be read"),
  );
  const oauth = oauthIfOn(reached, log);
  const findClient = createFindClient(readDocument, oauth?.registration === undefined ? undefined : clients);
  return { parts: { oauth, findClient }, close: () => documents.close() };
}

function cleanUp({ linksAs, invitationsAs, sessionsAs, grantsAs, clients }: Stores, log: Logger): () => void {
  const stores = {
    links: linksAs("dashboard"),
    invitations: invitationsAs("dashboard"),
    sessions: sessionsAs("dashboard"),
    grants: grantsAs("dashboard"),
    clients,
  };
  return startCleanUp(stores, log);
}
