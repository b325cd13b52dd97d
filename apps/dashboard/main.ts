import { setTimeout as pause } from "node:timers/promises";
import { createLogger } from "@tranche/shared/process/logger";
import { onShutdown } from "@tranche/shared/process/shutdown";
import { readOrExit } from "@tranche/shared/process/read-or-exit";
import { readSettings } from "@tranche/shared/process/settings";
import { startTracing } from "@tranche/shared/process/tracing";
import { serve } from "./process.ts";

const settings = readOrExit(() => readSettings(process.env));
const log = createLogger("dashboard", settings.TRANCHE_LOG_LEVEL);
try {
  const tracing = await startTracing("tranche-dashboard", settings, (reason) =>
    log.warn({ reason }, "traces can't be sent"),
  );
  const { address, drain, close } = await serve(settings, log, tracing);
  onShutdown(async (reason) => {
    // Load balancers learn from /health/ready that the next requests belong elsewhere.
    const delay = settings.TRANCHE_SHUTDOWN_DELAY_SECONDS;
    log.info({ reason, ...(delay > 0 && { delaySeconds: delay }) }, "closing");
    drain();
    await pause(delay * 1000);
    await close();
  });
  log.info({ address, namespace: settings.TRANCHE_NAMESPACE }, "the dashboard listens");
} catch (error) {
  log.fatal({ err: error }, "the dashboard can't start");
  process.exit(1);
}
