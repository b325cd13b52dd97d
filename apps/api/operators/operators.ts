import type { AuditDetails } from "@tranche/shared/accounts/audit";
import { audited } from "@tranche/shared/accounts/audit-log";
import type { Logger } from "@tranche/shared/log/logger";
import { createQueueConnection } from "@tranche/shared/queue/connection";
import { queuePrefix, QUEUES } from "@tranche/shared/queue/queues";
import { createSearchClient } from "@tranche/shared/search/client";
import { indexNames } from "@tranche/shared/search/index-names";
import type { Settings } from "@tranche/shared/settings/settings";
import { Queue } from "bullmq";
import Koa from "koa";
import { closeServer, createHttpServer, listen } from "@tranche/http/server/server";
import { csrfTokenOf } from "./access.ts";
import { guarded } from "./guard.ts";
import { type AuditRetry, QUEUES_PATH, queuesPage, type RetryAnswer } from "./queues-page.ts";

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
const CLOSE_WITHIN_MS = 1000;

/**
 * The operators' port, which is never public: `/metrics` for Prometheus, `/health/…` for probes, and `/queues`. `metrics` returns all
 * metrics as text; `ready` whether the public port can answer.
 */
export async function serveOperators(
  settings: Settings,
  log: Logger,
  { metrics, ready }: { metrics: () => Promise<string>; ready: () => Promise<boolean> },
): Promise<{ address: string; close: () => Promise<void> }> {
  const { TRANCHE_OPERATOR_HOST: listening, TRANCHE_OPERATOR_HOSTS: named, TRANCHE_OPERATOR_TOKEN: token } = settings;
  const connection = createQueueConnection(settings.REDIS_URL, "tranche-operators", settings.REDIS_CA_FILE);
  connection.on("error", (error) => log.debug({ reason: error.message }, "the operators' connection to Redis failed"));
  const prefix = queuePrefix(settings.TRANCHE_NAMESPACE);
  const queues = Object.values(QUEUES).map((name) => new Queue(name, { connection, prefix }));
  for (const queue of queues)
    queue.on("error", (error) => log.debug({ reason: error.message }, "a queue can't be read"));
  const client = createSearchClient(
    { url: settings.ELASTICSEARCH_URL, apiKey: settings.ELASTICSEARCH_API_KEY, caFile: settings.ELASTICSEARCH_CA_FILE },
    { connections: 1, requestTimeoutMs: 10_000 },
  );

  // Bull Board passes no context to its handlers, but the audit log needs the operator.
  const app = new Koa({ asyncLocalStorage: true });
  const audit: AuditRetry = (retry, work) => {
    const actor = String(app.currentContext?.state.operator);
    const index = indexNames(settings.TRANCHE_NAMESPACE).accounts;
    return audited({ client, index, actor }, "failed.retry", retry, work, retryFigures);
  };
  app.use(guarded({ listening, named, token }));
  app.use(async (ctx, next) => {
    if (ctx.path === "/") return ctx.redirect(QUEUES_PATH);
    if (ctx.path === "/health/live") return void (ctx.body = { status: "live" });
    if (ctx.path === "/health/ready") {
      const isReady = await ready();
      ctx.status = isReady ? 200 : 503;
      ctx.body = { status: isReady ? "ready" : "not ready" };
      return;
    }
    if (ctx.path !== "/metrics") return next();
    ctx.type = METRICS_TYPE;
    ctx.body = await metrics();
  });
  if (token !== undefined) app.use(queuesPage(queues, csrfTokenOf(token), audit));
  app.on("error", (error: Error) => log.warn({ reason: error.message }, "a request of an operator failed"));

  const server = createHttpServer(app.callback());
  const address = await listen(server, settings.TRANCHE_OPERATOR_PORT, listening);
  return {
    address,
    async close() {
      await closeServer(server, CLOSE_WITHIN_MS);
      connection.disconnect();
      await client.close();
    },
  };
}

/** What the audit log keeps of Bull Board's reply to a retry. Only a retry of all jobs has a number. */
function retryFigures({ status = 200, body }: RetryAnswer): AuditDetails {
  if (status >= 400) return { outcome: `refused: ${status}` };
  const { retried = 1 } = Object(body) as { retried?: number };
  return { retried: String(retried) };
}
