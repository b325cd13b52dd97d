import { Command } from "commander";
import type { Ops } from "../context/ops.ts";

export function reindexCommand(ops: Ops): Command {
  const reindex = new Command("reindex")
    .summary("Rebuild the search indices from the records")
    .description(
      "Build new search indices beside the live ones, compare them and swap. Reads and writes continue meanwhile. " +
        "Elasticsearch then merges the new indices, which makes searches faster: run it after a large first load as well. " +
        "Only one rebuild runs at a time. `ops rollback` undoes it for TRANCHE_ROLLBACK_HOURS (24).",
    )
    .option("--wait", "wait until the rebuild has ended")
    .addHelpText("after", "\nExamples:\n  ops reindex --wait\n  ops reindex status\n  ops reindex cancel")
    .action(async ({ wait }: { wait?: boolean }) => {
      const { startRebuild } = await import("../jobs/rebuild.ts");
      await startRebuild(ops, wait === true);
    });

  // Commander takes an option of the group after the names of its commands, too.
  reindex.hook("preSubcommand", (group, command) => {
    if (group.opts()["wait"])
      group.error(`error: --wait is for \`ops reindex\` alone; leave it out of ${command.name()}`);
  });

  reindex
    .command("status")
    .description("Show the last rebuild, running or not.")
    .action(async () => {
      const { showRebuild } = await import("../jobs/rebuild.ts");
      await showRebuild(ops);
    });

  reindex
    .command("cancel")
    .description("Cancel the running rebuild. The live indices stay as they are.")
    .action(async () => {
      const { cancelRunning } = await import("../jobs/rebuild.ts");
      await cancelRunning(ops);
    });

  return reindex;
}
