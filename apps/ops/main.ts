import { isEngineError } from "@tranche/shared/search/client";
import { findRunning, possibleHomes } from "@tranche/shared/settings/home";
import { readSettings, SettingsError } from "@tranche/shared/settings/settings";
import { Command, CommanderError } from "commander";
import { join } from "node:path";
import { accountsCommand } from "./commands/accounts.ts";
import { auditCommand } from "./commands/audit.ts";
import { demoAccountCommand } from "./commands/demo-account.ts";
import { exportCommand } from "./commands/export.ts";
import { failedCommand } from "./commands/failed.ts";
import { ingestCommand } from "./commands/ingest.ts";
import { keysCommand } from "./commands/keys.ts";
import { reindexCommand } from "./commands/reindex.ts";
import { rollbackCommand } from "./commands/rollback.ts";
import { statusCommand } from "./commands/status.ts";
import { verifyCommand } from "./commands/verify.ts";
import { withRunning } from "./engines/addresses.ts";
import { connectEngines, type Engines } from "./engines/connect.ts";
import type { Ops } from "./ops.ts";
import { WrongUsage } from "./terminal/failure.ts";
import { createTerminal } from "./terminal/terminal.ts";

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;
const INTERRUPTED = 130;

const project = join(import.meta.dirname, "../..");
const terminal = createTerminal(process, process.argv.includes("--json"));
let engines: Promise<Engines> | undefined;

const ops: Ops = {
  terminal,
  settings: () =>
    readSettings(withRunning(process.env, findRunning(possibleHomes(process.env["TRANCHE_HOME"], project)))),
  engines: () => (engines ??= connectEngines(ops.settings(), terminal)),
  onInterrupt() {
    const controller = new AbortController();
    const interrupt = () => {
      if (controller.signal.aborted) process.exit(INTERRUPTED);
      controller.abort();
    };
    process.on("SIGINT", interrupt);
    process.on("SIGTERM", interrupt);
    return controller.signal;
  },
};

const program = new Command("ops")
  .description("Operators' command line of Tranche. Exit codes: 0 done, 1 failed, 2 wrong usage.")
  .option("--json", "print exactly one JSON document")
  .configureHelp({ showGlobalOptions: true })
  .addHelpText(
    "after",
    `
Elasticsearch and Redis are those that ELASTICSEARCH_URL and REDIS_URL give, else those of a running \`npm start\`.

Examples:
  ops ingest rounds.ndjson.gz --wait
  ops accounts create --name "Acme Research" --plan growth
  ops ingest --help`,
  );
program.addCommand(ingestCommand(ops));
program.addCommand(exportCommand(ops));
program.addCommand(statusCommand(ops));
program.addCommand(failedCommand(ops));
program.addCommand(reindexCommand(ops));
program.addCommand(rollbackCommand(ops));
program.addCommand(verifyCommand(ops));
program.addCommand(accountsCommand(ops));
program.addCommand(keysCommand(ops));
program.addCommand(auditCommand(ops));
program.addCommand(demoAccountCommand(ops), { hidden: true });
forEachCommand(program, (command) => {
  command.exitOverride().showHelpAfterError("(--help shows what there is)").configureHelp({ showGlobalOptions: true });
});

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? DONE : FAILED));

try {
  await program.parseAsync(process.argv);
} catch (error) {
  terminal.exitCode = tellFailure(error as Error);
}
await engines?.then(
  (connected) => connected.close(),
  () => {},
);
process.exitCode = terminal.exitCode;

/** Tells people what went wrong, and returns the exit code. */
function tellFailure(error: Error): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return DONE;
    // Commander has told it already; a missing command shows the help.
    if (terminal.json) terminal.show({ error: { message: error.message.replace(/^error: /, "") } }, "");
    return WRONG_USAGE;
  }
  const message = textOf(error);
  terminal.tell(`error: ${message}`);
  if (terminal.json) terminal.show({ error: { message } }, "");
  return error instanceof WrongUsage || error instanceof SettingsError ? WRONG_USAGE : FAILED;
}

function textOf(error: Error): string {
  const text = error.message || error.name;
  // Its own texts go over several lines, and do not say whose they are.
  return isEngineError(error) ? `Elasticsearch could not answer: ${text.replaceAll(/\s+/g, " ")}` : text;
}

function forEachCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const inner of command.commands) forEachCommand(inner, visit);
}
