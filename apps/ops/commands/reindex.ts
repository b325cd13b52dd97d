import { Command } from "commander";
import type { Ops } from "../ops.ts";

export function reindexCommand(ops: Ops): Command {
  const reindex = new Command("reindex")
    .summary("rebuild the search indices from the records")
    .description(
      "Builds both search indices afresh beside the live ones, compares them and swaps. Reads and writes go on meanwhile.\n" +
        "Then Elasticsearch merges the new ones, which makes searches faster: worth it after a large first load, too.\n" +
        "One runs at a time. `ops rollback` goes back to the indices of before, for TRANCHE_ROLLBACK_HOURS (24).",
    )
    .option("--wait", "come back when it has ended")
    .addHelpText("after", "\nExamples:\n  ops reindex --wait\n  ops reindex status\n  ops reindex cancel")
    .action(async ({ wait }: { wait?: boolean }) => {
      const { startRebuild } = await import("../rebuild/reindex.ts");
      await startRebuild(ops, wait === true);
    });

  reindex
    .command("status")
    .description("Shows the last rebuild, running or not.")
    .action(async () => {
      const { showRebuild } = await import("../rebuild/reindex.ts");
      await showRebuild(ops);
    });

  reindex
    .command("cancel")
    .description("Ends the running rebuild; the live indices stay as they are.")
    .action(async () => {
      const { cancelRunning } = await import("../rebuild/reindex.ts");
      await cancelRunning(ops);
    });

  return reindex;
}
