import { createLogger } from "@tranche/shared/process/logger";
import { onShutdown } from "@tranche/shared/process/shutdown";
import { keepHeapSmall } from "@tranche/shared/process/v8-flags";
import { readOrExit } from "@tranche/shared/process/read-or-exit";
import { readSettings } from "@tranche/shared/process/settings";
import { startTracing } from "@tranche/shared/process/tracing";
import { connect } from "./clients.ts";
import { serve } from "./process.ts";

keepHeapSmall("indexer");
const settings = readOrExit(() => readSettings(process.env));
const log = createLogger("indexer", settings.TRANCHE_LOG_LEVEL);
/** Until workers take jobs, shutdown needs no order, for example while the process waits for the engines. */
let close: (reason: string) => Promise<void> = async (reason) =>
  log.info({ reason }, "closing before any job was taken");
onShutdown((reason) => close(reason));
const tracing = await startTracing("tranche-indexer", settings, (reason) =>
  log.warn({ reason }, "traces can't be sent"),
);
const engines = await connect(settings, log).catch((error: Error) => {
  log.fatal(error.message);
  process.exit(1);
});
await serve(settings, log, { ...engines, tracing }, (orderly) => (close = orderly));
