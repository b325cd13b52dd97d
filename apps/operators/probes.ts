import type { Installation } from "@tranche/operations/installation/installation";
import { enginesAway } from "@tranche/operations/metrics/engine-answers";
import { createInstallationGauges } from "@tranche/operations/metrics/gauges";
import { readReadings } from "@tranche/operations/metrics/readings";
import { createProcessRegistry } from "@tranche/operations/metrics/registry";
import { BUILD } from "@tranche/shared/process/build";
import type { Middleware } from "koa";

/**
 * What programs ask: `/health/live`; `/health/ready`, which is 503 while an engine is away; `/metrics` of the whole installation, also when no
 * indexer runs that would export the same, and of this process.
 */
export function probes(installation: Installation): Middleware {
  const parts = { ...installation, namespace: installation.settings.TRANCHE_NAMESPACE };
  const registry = createProcessRegistry(parts.namespace);
  const gauges = createInstallationGauges(registry);
  return async (ctx, next) => {
    if (ctx.path === "/health/live") {
      ctx.body = { status: "live" };
    } else if (ctx.path === "/health/ready") {
      const away = await enginesAway(parts);
      ctx.status = away.length === 0 ? 200 : 503;
      ctx.body = away.length === 0 ? { status: "ready", ...BUILD } : { status: "not ready", ...BUILD, away };
    } else if (ctx.path === "/metrics") {
      gauges.show(await readReadings(parts), Date.now());
      ctx.type = registry.contentType;
      ctx.body = await registry.metrics();
    } else {
      await next();
    }
  };
}
