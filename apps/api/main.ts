import cluster from "node:cluster";
import { setTimeout as pause } from "node:timers/promises";
import { keepHeapSmall } from "@tranche/shared/process/v8-flags";
import { onShutdown } from "@tranche/shared/process/shutdown";
import { createLogger } from "@tranche/shared/process/logger";
import { assertOperatorPortIsClosed } from "@tranche/shared/process/operator-port";
import { readSettings } from "@tranche/shared/process/settings";
import { readOrExit } from "@tranche/shared/process/read-or-exit";
import type { OperatorsParts } from "./operators/operators.ts";
import { createMetrics, type Metrics, metricsOfAll } from "./serve/metrics.ts";
import { supervise } from "@tranche/http/processes/supervise";

/** Longer than the public port takes to notice that an engine is away. */
const READY_WITHIN_MS = 5000;
/** Signals an API process that all of them are about to end. */
const DRAIN = "drain";

keepHeapSmall("api");
const settings = readOrExit(() => {
  const read = readSettings(process.env);
  assertOperatorPortIsClosed(read);
  return read;
});
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

/** API and operators' port in one process. */
async function runOne() {
  const metrics = createMetrics(settings.TRANCHE_NAMESPACE);
  const serving = await startServing(metrics);
  drain = serving.drain;
  const operators = await startOperators({
    metrics: () => metrics.registry.metrics(),
    ready: () => isReady(serving.address),
  });
  return { address: serving.address, operatorAddress: operators.address };
}

/** Several API processes behind one port; this one has the operators' port and replaces those that die. SIGHUP replaces all. */
async function runSeveral() {
  const supervision = await supervise(processes, log);
  closers.push(supervision.close);
  drain = () => supervision.send(DRAIN);
  process.on("SIGHUP", () => void supervision.restart());
  const operators = await startOperators({ metrics: metricsOfAll(), ready: () => isReady(supervision.address) });
  return { address: supervision.address, operatorAddress: operators.address };
}

// Each process loads only what it runs: without the operators' part an API process takes 5 to 9 MiB less.

async function startServing(metrics: Metrics) {
  const { serve } = await import("./process.ts");
  const serving = await serve(settings, log, metrics);
  closers.push(serving.close);
  return serving;
}

async function startOperators(parts: OperatorsParts) {
  const { serveOperators } = await import("./operators/operators.ts");
  const operators = await serveOperators(settings, log, parts);
  closers.push(operators.close);
  return operators;
}

/** Whether the public port is ready; false when it does not reply. */
async function isReady(address: string): Promise<boolean> {
  const signal = AbortSignal.timeout(READY_WITHIN_MS);
  return fetch(`${address}/health/ready`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}
