import { fileURLToPath } from "node:url";
import { queueAccess } from "@tranche/shared/protocol/queue/access";
import { closeQueues } from "@tranche/shared/protocol/queue/close-queues";
import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { createDailyUsage } from "@tranche/shared/accounts/daily-usage";
import { createFeedLinkStore } from "@tranche/shared/accounts/feed-link-store";
import { createClientStore } from "@tranche/shared/accounts/client-store";
import { createGrantStore } from "@tranche/shared/accounts/grant-store";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import { oauthIfOn } from "@tranche/shared/accounts/oauth-addresses";
import { createRecentErrors } from "@tranche/shared/accounts/recent-errors";
import { createSessionStore } from "@tranche/shared/accounts/session-store";
import type { Logger } from "@tranche/shared/process/logger";
import { createLinkStore } from "@tranche/shared/accounts/link-store";
import { createMemberStore } from "@tranche/shared/accounts/member-store";
import { createSignIns } from "@tranche/shared/accounts/sign-ins";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import { createTiming } from "@tranche/shared/process/timing";
import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import { QUEUES, type WebhookJob } from "@tranche/shared/protocol/queue/queues";
import { onTrouble, reachRedis } from "@tranche/shared/engines/redis/trouble";
import { elasticsearchOf, waitForEngines } from "@tranche/shared/engines/from-settings";
import { dashboardUrl, invitationUrl, signInUrl, unsubscribeUrls } from "@tranche/shared/process/dashboard-url";
import { watchPlans } from "@tranche/shared/accounts/plans-file";
import { publicPath } from "@tranche/shared/process/public-path";
import type { Settings } from "@tranche/shared/process/settings";
import type { Tracing } from "@tranche/shared/process/tracing";
import { readDealTypes } from "@tranche/shared/process/vocabulary-file";
import { readFeedState } from "@tranche/shared/protocol/feed/state";
import { createDigestStore } from "@tranche/webhooks/digest-store";
import { createFollowStore } from "@tranche/webhooks/follow-store";
import { createWebhookFilters } from "@tranche/webhooks/followed-lists";
import { fromNow } from "@tranche/webhooks/progress";
import { FEED_OF_LIST } from "@tranche/webhooks/webhook";
import { createWebhooks } from "@tranche/webhooks/operations";
import { receiverAgent } from "@tranche/webhooks/receiver-agent";
import { createWebhookStore } from "@tranche/webhooks/webhook-store";
import { urlRules } from "@tranche/webhooks/webhook-url";
import { Queue } from "bullmq";
import { readBuiltSite } from "@tranche/http/server/built-site";
import { serveMetrics } from "@tranche/http/server/metrics-port";
import { createReadiness } from "@tranche/http/server/readiness";
import { closeServer, openPort } from "@tranche/http/server/server";
import { traced } from "@tranche/http/server/traced";
import { createApp } from "./app.ts";
import { createApiClient } from "./explore/api-client.ts";
import { createSearchStore } from "./searches/search-store.ts";
import { createDashboardMetrics } from "./metrics/metrics.ts";
import { startFollowMails } from "./mail/follow-mails.ts";
import { createInvite } from "./mail/invitations.ts";
import { mailerOf, observed } from "./mail/mailer.ts";
import { startPausedWebhookMails } from "./mail/paused-webhooks.ts";
import { createSignInLinks } from "./mail/sign-in-links.ts";
import { createFindClient } from "./oauth/client.ts";
import { createReadClientDocument } from "./oauth/client-document.ts";
import { createChanges } from "./requests/changes.ts";
import { createLimits } from "./requests/limits.ts";
import { createRequestsConnection } from "./requests/redis.ts";
import { startCleanUp } from "./sessions/clean-up.ts";
import { createSessionCookie } from "./sessions/cookie.ts";
import { createFindSession, createNotedSessions } from "./sessions/find-session.ts";
import { createRequireSession } from "./sessions/signed-in.ts";
import { createUseNotes } from "./sessions/use-notes.ts";

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
  const names = indexNames(settings.TRANCHE_NAMESPACE);
  const metrics = createDashboardMetrics(settings.TRANCHE_NAMESPACE);
  const unobserved = mailerOf(settings);
  const mailer = unobserved && observed(unobserved, metrics.mail);
  const { client, redis } = await connectEngines(settings, log);
  const readiness = createReadiness({
    // Without accounts and sessions no page can be answered.
    ask: () =>
      Promise.all([
        client.search({ index: [names.accounts, names.dashboard], size: 0, allow_partial_search_results: false }),
        reachRedis(redis, queuePrefix(settings.TRANCHE_NAMESPACE)),
      ]),
    graceMs: settings.TRANCHE_READY_GRACE_SECONDS * 1000,
  });
  const site = readBuiltSite(PAGES);
  const timing = createTiming(settings.TRANCHE_PAUSES);
  const plans = watchPlans(settings.TRANCHE_PLANS_FILE, timing.plansLook, log);
  const copies = createHotCopies(redis, settings.TRANCHE_NAMESPACE);
  const accountsAs = (actor: string) => createAccountStore(client, names, { actor, copies });
  const accounts = accountsAs("dashboard");
  const sessionsAs = (actor: string) => createSessionStore(client, names, { accounts, copies, actor });
  const membersAs = (actor: string) => createMemberStore(client, names, { actor, copies });
  const api = createApiClient(settings.TRANCHE_API_URL);
  const linksAs = (actor: string) => createLinkStore(client, names, { actor });
  const followsAs = (actor: string) => createFollowStore(client, names, { actor });
  const invitationsAs = (actor: string) => createLinkStore(client, names, { kind: "invitation", actor });
  const dealTypes = readDealTypes(settings.TRANCHE_VOCABULARY_FILE);
  const access = queueAccess(redis, settings.TRANCHE_NAMESPACE, tracing?.telemetry);
  // The connection logs its own errors.
  const webhooksQueue = new Queue<WebhookJob>(QUEUES.webhooks, access).on("error", () => {});

  const { TRANCHE_DASHBOARD_METRICS_PORT: portOfMetrics } = settings;
  const metricsPort =
    portOfMetrics === undefined
      ? undefined
      : await serveMetrics(portOfMetrics, settings, { metrics: () => metrics.registry.metrics(), log });
  const { server, address, answer } = await openPort({
    port: settings.TRANCHE_DASHBOARD_PORT,
    host: settings.HOST,
    publicPath: publicPath(settings),
    maxConnections: settings.TRANCHE_MAX_CONNECTIONS,
  });
  const reached = { ...settings, TRANCHE_DASHBOARD_PORT: Number(new URL(address).port) };
  const limits = createLimits(redis, settings.TRANCHE_NAMESPACE);
  const signIns = createSignIns(client, names);
  const cookie = createSessionCookie(dashboardUrl(reached));
  const signInLinks =
    mailer &&
    createSignInLinks({
      mailer,
      accounts,
      members: membersAs("dashboard"),
      links: linksAs("dashboard"),
      signInUrl: (secret) => signInUrl(reached, secret),
      log,
    });
  const stopMails =
    mailer &&
    startPausedWebhookMails({
      webhooks: createWebhookStore(client, names.accounts, { actor: "dashboard" }),
      accounts,
      members: membersAs("dashboard"),
      signIns,
      limits,
      mailer,
      redis,
      namespace: settings.TRANCHE_NAMESPACE,
      pageOf: (webhook) => `${dashboardUrl(reached)}/webhooks/${webhook}`,
      log,
      timing,
    });
  const grantsAs = (actor: string) =>
    createGrantStore(client, names, { copies, accountOf: (handle) => accounts.account(handle), actor });
  const documents = receiverAgent(settings.TRANCHE_WEBHOOK_TARGETS);
  const readDocument = createReadClientDocument(documents, urlRules(settings), (clientId, { message: reason }) =>
    log.info({ clientId, reason }, "the document of an application can't be read"),
  );
  const clients = createClientStore(client, names);
  const oauth = oauthIfOn(reached, log);
  const stopFollowMails =
    mailer &&
    startFollowMails({
      follows: followsAs("dashboard"),
      digests: createDigestStore(client, names.deliveries),
      accounts,
      members: membersAs("dashboard"),
      signIns,
      mailer,
      urlsOf: ({ follow_id, unsubscribe }) => ({
        dashboard: dashboardUrl(reached),
        unsubscribe: unsubscribeUrls(reached, `${follow_id}.${unsubscribe}`),
      }),
      log,
      timing,
      now: Date.now,
    });
  const changes = createChanges(limits);
  const notedSessions = createNotedSessions(redis, settings.TRANCHE_NAMESPACE);
  const findSession = createFindSession(sessionsAs("dashboard"), notedSessions);
  const app = createApp(
    {
      accountsAs,
      sessionsAs,
      membersAs,
      linksAs,
      invitationsAs,
      invite: createInvite({ mailer, urlOf: (secret) => invitationUrl(reached, secret), log }),
      signInUrl: (secret) => signInUrl(reached, secret),
      signInLinks,
      limits,
      changes,
      findSession,
      signIns,
      notedSessions,
      requireSession: createRequireSession(cookie, findSession, changes, createUseNotes(accounts, notedSessions, log)),
      dailyUsage: createDailyUsage(redis, settings.TRANCHE_NAMESPACE),
      recentErrors: createRecentErrors(redis, settings.TRANCHE_NAMESPACE),
      cookie,
      plans: plans.current,
      searchesAs: (actor) => createSearchStore(client, names.dashboard, { actor }),
      feedLinksAs: (actor) => createFeedLinkStore(client, names.accounts, { actor, copies }),
      grantsAs,
      oauth,
      findClient: createFindClient(readDocument, oauth?.registration === undefined ? undefined : clients),
      clients,
      webhooksAs: (actor) =>
        createWebhooks({
          client,
          redis,
          names,
          queue: webhooksQueue,
          settings,
          plans: plans.current,
          dealTypes,
          actor,
        }),
      followsAs,
      followFilters: createWebhookFilters(dealTypes),
      followsFrom: async (list) => fromNow(await readFeedState(redis, settings.TRANCHE_NAMESPACE, FEED_OF_LIST[list])),
      api,
      publicApiUrl: settings.TRANCHE_PUBLIC_URL ?? settings.TRANCHE_API_URL,
      log,
    },
    site,
    {
      trustedProxies: settings.TRANCHE_TRUSTED_PROXIES,
      address: dashboardUrl(reached),
      publicPath: publicPath(settings),
      ready: readiness.check,
      count: metrics.count,
    },
  );
  answer(tracing ? traced(app) : app);
  const stopCleanUp = startCleanUp(
    {
      links: linksAs("dashboard"),
      invitations: invitationsAs("dashboard"),
      sessions: sessionsAs("dashboard"),
      grants: grantsAs("dashboard"),
      clients,
    },
    log,
  );

  // Its engines were there just now.
  await readiness.check().catch(() => {});
  return {
    address,
    drain: readiness.drain,
    async close() {
      stopCleanUp();
      stopMails?.();
      await stopFollowMails?.();
      await metricsPort?.close();
      await closeServer(server, CLOSE_WITHIN_MS);
      await signInLinks?.settled();
      mailer?.close();
      plans.close();
      await api.close();
      await documents.close();
      await closeQueues([webhooksQueue]);
      await client.close();
      redis.disconnect();
      await tracing?.close();
    },
  };
}

/** The clients of both engines, when the engines answer. */
async function connectEngines(settings: Settings, log: Logger) {
  const client = createSearchClient(elasticsearchOf(settings), { connections: 8, requestTimeoutMs: 10_000 });
  const redis = createRequestsConnection(settings.REDIS_URL, settings.REDIS_CA_FILE);
  onTrouble(redis, (reason) => log.debug({ reason }, "the connection to Redis failed"));
  await waitForEngines(settings, { client, redis }, (line) => log.warn(line));
  return { client, redis };
}
