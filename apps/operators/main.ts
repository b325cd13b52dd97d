import { createLogger } from "@tranche/shared/process/logger";
import { onShutdown } from "@tranche/shared/process/shutdown";
import { keepHeapSmall } from "@tranche/shared/process/v8-flags";
import { assertOperatorPortIsClosed } from "@tranche/shared/process/operator-port";
import { readOrExit } from "@tranche/shared/process/read-or-exit";
import { readSettings } from "@tranche/shared/process/settings";
import { startTracing } from "@tranche/shared/process/tracing";
import { serve } from "./process.ts";

keepHeapSmall("operators");
const settings = readOrExit(() => {
  const read = readSettings(process.env);
  assertOperatorPortIsClosed(read);
  return read;
});
const log = createLogger("operators", settings.TRANCHE_LOG_LEVEL);
try {
  const tracing = await startTracing("tranche-operators", settings, (reason) =>
    log.warn({ reason }, "traces can't be sent"),
  );
  const { address, close } = await serve(settings, log, tracing);
  // No load balancer is in front of this port, so nobody has to learn of the end beforehand.
  onShutdown(async (reason) => {
    log.info({ reason }, "closing");
    await close();
  });
  log.info({ address, namespace: settings.TRANCHE_NAMESPACE }, "the operators' port listens");
} catch (error) {
  log.fatal({ err: error }, "the operators' port can't be opened");
  process.exit(1);
}
