import { enginesAway } from "@tranche/operations/metrics/engine-answers";
import { createInstallationGauges } from "@tranche/operations/metrics/gauges";
import { readReadings, type ReadingsParts } from "@tranche/operations/metrics/readings";
import { type PrivatePort, type PrivatePortSettings, servePrivatePort } from "@tranche/http/server/private-port";
import type { Logger } from "@tranche/shared/process/logger";
import { BUILD } from "@tranche/shared/process/build";
import type { VersionGate } from "../jobs/version-gate.ts";
import type { IndexerMetrics } from "./metrics.ts";
import type { Watchdog } from "./watchdog.ts";

/**
 * The indexer's port for orchestrators and Prometheus: `/health/live` is 503 when its work makes no progress, so that it is restarted;
 * `/health/ready` is 503 while an engine is away or the indices are of a later version, which a restart would not help; `/metrics`.
 */
export function serveHealth(
  port: number,
  settings: PrivatePortSettings,
  parts: ReadingsParts & {
    watchdog: Pick<Watchdog, "stuck">;
    metrics: IndexerMetrics;
    gate: Pick<VersionGate, "closed">;
    log: Logger;
  },
): Promise<PrivatePort> {
  const { watchdog, metrics, log } = parts;
  const gauges = createInstallationGauges(metrics.registry);
  return servePrivatePort(port, settings, log, async (ctx) => {
    ctx.set("Cache-Control", "no-store");
    if (ctx.path === "/health/live") {
      const stuck = watchdog.stuck();
      ctx.status = stuck === undefined ? 200 : 503;
      ctx.body = stuck === undefined ? { status: "live" } : { status: "stuck", reason: stuck };
    } else if (ctx.path === "/health/ready") {
      const away = await enginesAway(parts);
      const reason = parts.gate.closed();
      const ready = away.length === 0 && reason === undefined;
      ctx.status = ready ? 200 : 503;
      ctx.body = ready
        ? { status: "ready", ...BUILD }
        : { status: "not ready", ...BUILD, away, ...(reason && { reason }) };
    } else if (ctx.path === "/metrics") {
      gauges.show(await readReadings(parts), Date.now());
      ctx.type = metrics.registry.contentType;
      ctx.body = await metrics.registry.metrics();
    }
  });
}
