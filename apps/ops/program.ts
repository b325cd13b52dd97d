import { styleText } from "node:util";
import { Command, Help } from "commander";
import { auditCommand } from "./commands/audit.ts";
import { backupCommand } from "./commands/backup.ts";
import { demoAccountCommand } from "./commands/demo-account.ts";
import { explainCommand } from "./commands/explain.ts";
import { exportCommand } from "./commands/export.ts";
import { failedCommand } from "./commands/failed.ts";
import { feedsCommand } from "./commands/feeds.ts";
import { ingestCommand } from "./commands/ingest.ts";
import { ingestTokensCommand } from "./commands/ingest-tokens.ts";
import { lossesCommand } from "./commands/losses.ts";
import { mappingsCommand } from "./commands/mappings.ts";
import { operationsCommand } from "./commands/operations.ts";
import { reindexCommand } from "./commands/reindex.ts";
import { restoreCommand } from "./commands/restore.ts";
import { rollbackCommand } from "./commands/rollback.ts";
import { statusCommand } from "./commands/status.ts";
import { verifyCommand } from "./commands/verify.ts";
import { webhooksCommand } from "./commands/webhooks.ts";
import type { Ops } from "./context/ops.ts";

/**
 * All commands with their options and help. Every start loads this file, so commands import clients and schemas inside their actions.
 */
export function opsProgram(ops: Ops): Command {
  const program = new Command("ops")
    .description("Operate an installation of Tranche. Exit codes: 0 done, 1 failed, 2 wrong usage.")
    .version(ops.version, "-V, --version", "print the version")
    .option("--json", "print exactly one JSON document")
    .addHelpText(
      "after",
      `
Tranche finds Elasticsearch and Redis through ELASTICSEARCH_URL and REDIS_URL, or else through a running \`npm start\`.

Examples:
  ops ingest rounds.ndjson.gz --wait
  ops accounts create --name "Acme Research" --plan growth
  ops ingest --help

docs/run/README.md leads from a trial to production.`,
    );
  program.addCommand(ingestCommand(ops));
  program.addCommand(mappingsCommand(ops));
  program.addCommand(ingestTokensCommand(ops));
  program.addCommand(exportCommand(ops));
  program.addCommand(backupCommand(ops));
  program.addCommand(restoreCommand(ops));
  program.addCommand(statusCommand(ops));
  program.addCommand(explainCommand(ops));
  program.addCommand(failedCommand(ops));
  program.addCommand(lossesCommand(ops));
  program.addCommand(reindexCommand(ops));
  program.addCommand(rollbackCommand(ops));
  program.addCommand(verifyCommand(ops));
  program.addCommand(operationsCommand(ops, "accounts"));
  program.addCommand(operationsCommand(ops, "keys"));
  program.addCommand(operationsCommand(ops, "requests"));
  program.addCommand(feedsCommand(ops));
  program.addCommand(webhooksCommand(ops));
  program.addCommand(auditCommand(ops));
  program.addCommand(demoAccountCommand(ops), { hidden: true });
  forEachCommand(program, (command) => {
    command
      .exitOverride()
      .helpOption("-h, --help", "show this help")
      .showHelpAfterError("(run with --help for usage)")
      // Commander removes styles where the terminal has none.
      .configureHelp({
        showGlobalOptions: true,
        // Those of `ops` alone: a group's own options, such as `reindex --wait`, are not options of the commands below it.
        visibleGlobalOptions: (of) => (of === program ? [] : [...program.options]),
        optionDescription: (option) => {
          const text = new Help().optionDescription(option);
          return option.mandatory ? `${text} (required)` : text;
        },
        styleTitle: (title) => styleText("bold", title, { validateStream: false }),
      })
      .configureOutput({
        writeOut: (text) => ops.terminal.stdout.write(text),
        writeErr: (text) => ops.terminal.stderr.write(text),
        outputError: (text) => ops.terminal.fail(text.replace(/^error: /, "").trimEnd()),
      });
  });
  return program;
}

function forEachCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const inner of command.commands) forEachCommand(inner, visit);
}
