import { join } from "node:path";
import { VERSION } from "@tranche/shared/process/build";
import type { Tracing } from "@tranche/shared/process/tracing";
import { CommanderError } from "commander";
import type { Ops } from "./context/ops.ts";
import type { Engines } from "./context/connect.ts";
import { opsProgram } from "./program.ts";
import { Interrupted } from "./terminal/failure.ts";
import { createTerminal, type Terminal } from "./terminal/terminal.ts";

export const DONE = 0;
export const FAILED = 1;
const WRONG_USAGE = 2;
const NO_COMMAND = "Name a command: `ops --help` lists them.";
export const INTERRUPTED = 130;

const project = join(import.meta.dirname, "../..");

/** The streams, the interrupt and the environment that a command gets from its process. */
type Surroundings = Pick<Terminal, "stdin" | "stdout" | "stderr"> &
  Pick<Ops, "onInterrupt"> & { environment: NodeJS.ProcessEnv };

/** Runs one command to its end, closes the clients that it opened, and returns the exit code. */
export async function runOps(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { environment, onInterrupt, ...streams } = surroundings;
  const terminal = createTerminal(streams, args.includes("--json"));
  let engines: Promise<Engines> | undefined;
  let tracing: Tracing | undefined;
  // Clients are imported when a command needs them: they take half a second.
  const ops: Ops = {
    version: VERSION,
    terminal,
    settings: async () => (await import("./context/settings.ts")).opsSettings(environment, project),
    engines: () =>
      (engines ??= Promise.all([import("./context/connect.ts"), import("./context/settings.ts")]).then(
        async ([{ connectEngines }, { unnamedEngines }]) =>
          connectEngines(await ops.settings(), terminal, {
            tracing,
            beforeWait: () => unnamedEngines(environment, project),
          }),
      )),
    doing: async () => {
      const [{ createDoing }, { operator }] = await Promise.all([
        import("@tranche/operations/accounts/doing"),
        import("./context/operator.ts"),
      ]);
      return createDoing(await ops.engines())(operator());
    },
    onInterrupt,
  };
  if (environment["OTEL_EXPORTER_OTLP_ENDPOINT"]) tracing = await traceOps(ops);
  const work = () => opsProgram(ops).parseAsync(args, { from: "user" });
  try {
    const name = args.find((arg) => !arg.startsWith("-")) ?? "help";
    await (tracing ? tracing.command(`ops ${name}`, work) : work());
  } catch (error) {
    terminal.exitCode = await reportFailure(error as Error, terminal);
  }
  await engines?.then(
    (connected) => connected.close(),
    () => {},
  );
  await tracing?.close();
  return terminal.exitCode;
}

/** Undefined where a setting is wrong, which the command reports when it needs them. */
async function traceOps(ops: Ops): Promise<Tracing | undefined> {
  const settings = await ops.settings().catch(() => undefined);
  if (!settings) return undefined;
  const { startTracing } = await import("@tranche/shared/process/tracing");
  return startTracing("tranche-ops", settings, (reason) => ops.terminal.tell(`Traces can't be sent: ${reason}`));
}

/** Reports what went wrong, and returns the exit code. */
async function reportFailure(error: Error, terminal: Terminal): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return DONE;
    // Commander has reported it already; a missing command shows the help.
    const message = error.code === "commander.help" ? NO_COMMAND : error.message.replace(/^error: /, "");
    if (terminal.json) terminal.show({ error: { message } }, "");
    return WRONG_USAGE;
  }
  if (error instanceof Interrupted) {
    terminal.tell(error.message);
    if (terminal.json) terminal.show({ error: { message: error.message } }, "");
    return INTERRUPTED;
  }
  const { reportOf } = await import("./terminal/report.ts");
  const { message, wrongUsage } = reportOf(error);
  terminal.fail(message);
  if (terminal.json) terminal.show({ error: { message } }, "");
  return wrongUsage ? WRONG_USAGE : FAILED;
}
