import type { Logger } from "@tranche/shared/log/logger";
import { createQueueConnection } from "@tranche/shared/queue/connection";
import { queuePrefix, QUEUES } from "@tranche/shared/queue/queues";
import type { Settings } from "@tranche/shared/settings/settings";
import { Queue } from "bullmq";
import Koa from "koa";
import { closeServer, createHttpServer, listen } from "../serve/server.ts";
import { QUEUES_PATH, queuesPage } from "./queues-page.ts";

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
const CLOSE_WITHIN_MS = 1000;

/**
 * What only operators may see, on a port of its own that is never public: `/metrics` for Prometheus, `/queues` to look into the
 * queues. `metrics` gives all of them as text.
 */
export async function serveOperators(
  settings: Settings,
  log: Logger,
  metrics: () => Promise<string>,
): Promise<{ address: string; close: () => Promise<void> }> {
  const connection = createQueueConnection(settings.REDIS_URL, "tranche-operators", settings.REDIS_CA_FILE);
  connection.on("error", (error) => log.debug({ reason: error.message }, "the operators' connection to Redis failed"));
  const prefix = queuePrefix(settings.TRANCHE_NAMESPACE);
  const queues = Object.values(QUEUES).map((name) => new Queue(name, { connection, prefix }));
  for (const queue of queues)
    queue.on("error", (error) => log.debug({ reason: error.message }, "a queue can't be read"));

  const app = new Koa();
  app.use(async (ctx, next) => {
    if (ctx.path === "/") return ctx.redirect(QUEUES_PATH);
    if (ctx.path !== "/metrics") return next();
    ctx.type = METRICS_TYPE;
    ctx.body = await metrics();
  });
  app.use(queuesPage(queues));
  app.on("error", (error: Error) => log.warn({ reason: error.message }, "a request of an operator failed"));

  const server = createHttpServer(app.callback());
  const address = await listen(server, settings.TRANCHE_OPERATOR_PORT, settings.TRANCHE_OPERATOR_HOST);
  return {
    address,
    async close() {
      await closeServer(server, CLOSE_WITHIN_MS);
      connection.disconnect();
    },
  };
}
