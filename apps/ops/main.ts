import { readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { CommanderError } from "commander";
import type { Engines } from "./engines/connect.ts";
import type { Ops } from "./context/ops.ts";
import { opsProgram } from "./program.ts";
import { Interrupted } from "./terminal/failure.ts";
import { createTerminal } from "./terminal/terminal.ts";

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;
const INTERRUPTED = 130;

// The clients of the engines are imported later: 0.5 s of CPU instead of 0.8 when they are compiled already. Off where
// NODE_DISABLE_COMPILE_CACHE is set.
enableCompileCache();
const project = join(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as { version: string };
const terminal = createTerminal(process, process.argv.includes("--json"));
let engines: Promise<Engines> | undefined;

const ops: Ops = {
  version,
  terminal,
  settings: async () => (await import("./engines/settings.ts")).opsSettings(process.env, project),
  engines: () =>
    (engines ??= import("./engines/connect.ts").then(async ({ connectEngines }) =>
      connectEngines(await ops.settings(), terminal),
    )),
  accounts: async () => {
    const { accountStore } = await import("./accounts/store.ts");
    return accountStore(await ops.engines());
  },
  onInterrupt(atOnce) {
    const controller = new AbortController();
    const interrupt = () => {
      if (!controller.signal.aborted) return controller.abort();
      atOnce?.();
      process.exit(INTERRUPTED);
    };
    process.on("SIGINT", interrupt);
    process.on("SIGTERM", interrupt);
    return controller.signal;
  },
};

// A closed pipe (by `head`, for example) is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? DONE : FAILED));

try {
  await opsProgram(ops).parseAsync(process.argv);
} catch (error) {
  terminal.exitCode = await reportFailure(error as Error);
}
await engines?.then(
  (connected) => connected.close(),
  () => {},
);
process.exitCode = terminal.exitCode;

/** Reports what went wrong, and returns the exit code. */
async function reportFailure(error: Error): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return DONE;
    // Commander has reported it already; a missing command shows the help.
    if (terminal.json) terminal.show({ error: { message: error.message.replace(/^error: /, "") } }, "");
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
