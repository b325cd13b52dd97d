import { createInstallationGauges } from "@tranche/operations/metrics/gauges";
import { readReadings } from "@tranche/operations/metrics/readings";
import { createRegistry } from "@tranche/operations/metrics/registry";
import { BUILD, VERSION } from "@tranche/shared/process/build";
import { createInstallation } from "@tranche/operations/installation/installation";
import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import type { Logger } from "@tranche/shared/process/logger";
import { onTrouble } from "@tranche/shared/engines/redis/trouble";
import { createQueueConnection } from "@tranche/shared/protocol/queue/connection";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { elasticsearchOf } from "@tranche/shared/engines/from-settings";
import { watchPlans } from "@tranche/shared/accounts/plans-file";
import { publicPath } from "@tranche/shared/process/public-path";
import type { Settings } from "@tranche/shared/process/settings";
import Koa from "koa";
import { errorResponses } from "@tranche/http/errors/error-responses";
import { jsonBodies } from "@tranche/http/server/json-body";
import { requestIds } from "@tranche/http/server/request-id";
import { closeServer, createHttpServer, listen } from "@tranche/http/server/server";
import { wellFormedOnly } from "@tranche/http/server/well-formed";
import { guarded } from "./access/guard.ts";
import { createOperatorSessions } from "./access/sessions.ts";
import { createCountWrongToken } from "./access/wrong-token.ts";
import { operatorsPages } from "./pages.ts";
import { createRouter } from "./routes/routes.ts";

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
const CLOSE_WITHIN_MS = 1000;

export type OperatorsParts = {
  /** All metrics as text. */
  metrics: () => Promise<string>;
  /** Whether the public port can answer. */
  ready: () => Promise<boolean>;
};

/** The operators' port, which is never public: `/metrics` for Prometheus, `/health/…` for probes, `/operators/` for people. */
export async function serveOperators(
  settings: Settings,
  log: Logger,
  { metrics, ready }: OperatorsParts,
): Promise<{ address: string; close: () => Promise<void> }> {
  const { TRANCHE_OPERATOR_HOST: listening, TRANCHE_OPERATOR_HOSTS: named, TRANCHE_OPERATOR_TOKEN: token } = settings;
  const redis = createQueueConnection(settings.REDIS_URL, "tranche-operators", settings.REDIS_CA_FILE);
  onTrouble(redis, (reason) => log.debug({ reason }, "the operators' connection to Redis failed"));
  const client = createSearchClient(elasticsearchOf(settings), { connections: 4, requestTimeoutMs: 10_000 });
  const installation = createInstallation(settings, { client, redis, tell: (line) => log.warn(line) });
  // Of the whole installation, also when no indexer runs that would export the same.
  const figures = createRegistry(settings.TRANCHE_NAMESPACE);
  const gauges = createInstallationGauges(figures);
  const plans = watchPlans(settings.TRANCHE_PLANS_FILE, installation.timing.plansLook);

  const app = new Koa();
  const sessions = token === undefined ? undefined : createOperatorSessions(token, settings.TRANCHE_OPERATOR_PORT);
  app.use(requestIds());
  app.use(errorResponses(log, publicPath(settings)));
  app.use(wellFormedOnly());
  const countWrongToken = createCountWrongToken(log);
  app.use(guarded({ listening, named, token, sessions, countWrongToken }));
  app.use(async (ctx, next) => {
    if (ctx.path === "/health/live") return void (ctx.body = { status: "live" });
    if (ctx.path === "/health/ready") {
      const isReady = await ready();
      ctx.status = isReady ? 200 : 503;
      ctx.body = { status: isReady ? "ready" : "not ready", ...BUILD };
      return;
    }
    if (ctx.path !== "/metrics") return next();
    ctx.type = METRICS_TYPE;
    const namespace = settings.TRANCHE_NAMESPACE;
    gauges.show(await readReadings({ ...installation, namespace }), Date.now());
    ctx.body = `${await metrics()}\n${await figures.metrics()}`;
  });
  app.use(operatorsPages({ usable: token !== undefined }));
  if (token !== undefined && sessions !== undefined) {
    app.use(jsonBodies());
    const copies = createHotCopies(redis, settings.TRANCHE_NAMESPACE);
    const router = createRouter({
      installation,
      accountsAs: (actor) => createAccountStore(client, installation.names, { actor, copies }),
      plans: plans.current,
      sessions,
      token,
      countWrongToken,
      version: VERSION,
      log,
    });
    app.use(router.routes());
  }
  app.on("error", (error: Error) => log.warn({ reason: error.message }, "a request of an operator failed"));

  const server = createHttpServer(app.callback(), { publicPath: publicPath(settings) });
  const address = await listen(server, settings.TRANCHE_OPERATOR_PORT, listening);
  return {
    address,
    async close() {
      await closeServer(server, CLOSE_WITHIN_MS);
      plans.close();
      redis.disconnect();
      await client.close();
    },
  };
}
