import { askEngines } from "@tranche/operations/metrics/engine-answers";
import { createInstallationGauges } from "@tranche/operations/metrics/gauges";
import { readReadings, type ReadingsParts } from "@tranche/operations/metrics/readings";
import { operatorsOnly } from "@tranche/http/server/operators-only";
import { requestIds } from "@tranche/http/server/request-id";
import { securityHeaders } from "@tranche/http/server/security-headers";
import { closeServer, createHttpServer, listen } from "@tranche/http/server/server";
import type { Settings } from "@tranche/shared/settings/settings";
import Koa from "koa";
import type { VersionGate } from "../jobs/version-gate.ts";
import type { IndexerMetrics } from "./metrics.ts";
import type { Watchdog } from "./watchdog.ts";

const CLOSE_WITHIN_MS = 1000;

/**
 * The indexer's port for orchestrators and Prometheus: `/health/live` is 503 when its work does not go on, so that it is restarted;
 * `/health/ready` is 503 while an engine is away or the indices are of a later version, which a restart would not help; `/metrics`. As on the API's operators' port, the Host
 * header must name an address of the port, or the request carry the operators' token.
 */
export async function serveHealth(
  settings: Pick<
    Settings,
    "TRANCHE_INDEXER_PORT" | "TRANCHE_OPERATOR_HOST" | "TRANCHE_OPERATOR_HOSTS" | "TRANCHE_OPERATOR_TOKEN"
  >,
  parts: ReadingsParts & {
    watchdog: Pick<Watchdog, "stuck">;
    metrics: IndexerMetrics;
    gate: Pick<VersionGate, "closed">;
  },
): Promise<{ address: string; close: () => Promise<void> }> {
  const { TRANCHE_OPERATOR_HOST: listening, TRANCHE_OPERATOR_HOSTS: named, TRANCHE_OPERATOR_TOKEN: token } = settings;
  const { watchdog, metrics } = parts;
  const gauges = createInstallationGauges(metrics.registry);
  const app = new Koa();
  app.use(requestIds());
  app.use(securityHeaders());
  app.use(operatorsOnly({ listening, named, token }));
  app.use(async (ctx) => {
    ctx.set("Cache-Control", "no-store");
    if (ctx.path === "/health/live") {
      const stuck = watchdog.stuck();
      ctx.status = stuck === undefined ? 200 : 503;
      ctx.body = stuck === undefined ? { status: "live" } : { status: "stuck", reason: stuck };
    } else if (ctx.path === "/health/ready") {
      const engines = await askEngines(parts);
      const away = Object.entries(engines).flatMap(([engine, seconds]) => (seconds === undefined ? [engine] : []));
      const reason = parts.gate.closed();
      const ready = away.length === 0 && reason === undefined;
      ctx.status = ready ? 200 : 503;
      ctx.body = ready ? { status: "ready" } : { status: "not ready", away, ...(reason && { reason }) };
    } else if (ctx.path === "/metrics") {
      gauges.show(await readReadings(parts), Date.now());
      ctx.type = metrics.registry.contentType;
      ctx.body = await metrics.registry.metrics();
    }
  });
  const server = createHttpServer(app.callback());
  const address = await listen(server, settings.TRANCHE_INDEXER_PORT!, listening);
  return { address, close: () => closeServer(server, CLOSE_WITHIN_MS) };
}
