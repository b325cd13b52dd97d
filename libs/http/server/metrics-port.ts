import type { Logger } from "@tranche/shared/process/logger";
import { type PrivatePort, type PrivatePortSettings, servePrivatePort } from "./private-port.ts";

/** The text format of Prometheus. */
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** A port of one process for Prometheus: `/metrics`, and nothing else. `metrics`: all of them as text. */
export function serveMetrics(
  port: number,
  settings: PrivatePortSettings,
  { metrics, log }: { metrics: () => Promise<string>; log: Logger },
): Promise<PrivatePort> {
  return servePrivatePort(port, settings, log, async (ctx) => {
    if (ctx.path !== "/metrics") return;
    ctx.set("Cache-Control", "no-store");
    ctx.type = METRICS_TYPE;
    ctx.body = await metrics();
  });
}
