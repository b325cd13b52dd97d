import cluster from "node:cluster";
import { setTimeout as pause } from "node:timers/promises";
import { keepHeapSmall } from "@tranche/shared/process/v8-flags";
import { onShutdown } from "@tranche/shared/process/shutdown";
import { createLogger } from "@tranche/shared/process/logger";
import { readSettings } from "@tranche/shared/process/settings";
import { readOrExit } from "@tranche/shared/process/read-or-exit";
import { startTracing } from "@tranche/shared/process/tracing";
import { createMetrics, type Metrics, metricsOfAll } from "./serve/metrics.ts";
import { supervise } from "@tranche/http/server/supervise";
import { serveMetrics } from "@tranche/http/server/metrics-port";

/** Signals an API process that all of them are about to end. */
const DRAIN = "drain";

keepHeapSmall("api");
const settings = readOrExit(() => readSettings(process.env));
const log = createLogger("api", settings.TRANCHE_LOG_LEVEL);
const processes = settings.TRANCHE_API_PROCESSES;

/** Things that this process closes at its end, the last first. */
const closers: (() => Promise<void>)[] = [];
/** Makes the public port unready before it closes. */
let drain = () => {};
onShutdown(async (reason) => {
  // Load balancers learn from /health/ready that the next requests belong elsewhere; until they have asked, requests still come here.
  const delay = cluster.isPrimary ? settings.TRANCHE_SHUTDOWN_DELAY_SECONDS : 0;
  log.info({ reason, ...(delay > 0 && { delaySeconds: delay }) }, "closing");
  drain();
  await pause(delay * 1000);
  for (const close of closers.toReversed()) await close();
});

try {
  if (cluster.isWorker) {
    const serving = await startServing(createMetrics(settings.TRANCHE_NAMESPACE));
    process.on("message", (message) => message === DRAIN && serving.drain());
    log.info("an API process listens");
  } else {
    const address = processes > 1 ? await runSeveral() : await runOne();
    log.info({ ...address, processes, namespace: settings.TRANCHE_NAMESPACE }, "the API listens");
  }
} catch (error) {
  log.fatal({ err: error }, "the API can't start");
  process.exit(1);
}

/** Requests and metrics in one process. */
async function runOne() {
  const metrics = createMetrics(settings.TRANCHE_NAMESPACE);
  const serving = await startServing(metrics);
  drain = serving.drain;
  return { address: serving.address, ...(await startMetrics(() => metrics.registry.metrics())) };
}

/** Several API processes behind one port; this one has the port for metrics and replaces those that die. SIGHUP replaces all. */
async function runSeveral() {
  const supervision = await supervise(processes, log);
  closers.push(supervision.close);
  drain = () => supervision.send(DRAIN);
  process.on("SIGHUP", () => void supervision.restart());
  return { address: supervision.address, ...(await startMetrics(metricsOfAll())) };
}

async function startServing(metrics: Metrics) {
  const tracing = await startTracing("tranche-api", settings, (reason) => log.warn({ reason }, "traces can't be sent"));
  if (tracing) closers.push(tracing.close);
  // The first of several processes has no use for it.
  const { serve } = await import("./process.ts");
  const serving = await serve(settings, log, metrics, { traced: tracing !== undefined });
  closers.push(serving.close);
  return serving;
}

/** The port for metrics, where one is set. */
async function startMetrics(metrics: () => Promise<string>): Promise<{ metricsAddress?: string }> {
  const { TRANCHE_API_METRICS_PORT: port } = settings;
  if (port === undefined) return {};
  const served = await serveMetrics(port, settings, { metrics, log });
  closers.push(served.close);
  return { metricsAddress: served.address };
}
