import { Command } from "commander";
import type { Ops } from "../context/ops.ts";
import { WrongUsage } from "../terminal/failure.ts";

export function backupCommand(ops: Ops): Command {
  return new Command("backup")
    .summary("Make a complete backup: a file, or a snapshot")
    .description(
      "Back up everything that must last: records with their versions, also deleted ones, merges, snapshots of companies, accounts,\n" +
        "hashes of keys, members, saved searches and the audit log. Reads and writes continue meanwhile. With a file it is the same as\n" +
        "`ops export --all FILE`; without one it is a snapshot in a repository of Elasticsearch, which is faster on large installations.",
    )
    .argument("[file]", "a new file, NDJSON packed with gzip")
    .option("--repository <name>", "the snapshot repository, if Elasticsearch has several")
    .addHelpText("after", "\nExamples:\n  ops backup /backups/tranche.ndjson.gz\n  ops backup --repository nightly")
    .action(async (file: string | undefined, { repository }: { repository?: string }) => {
      if (file !== undefined && repository !== undefined) {
        throw new WrongUsage("Give a file or --repository, not both: a snapshot goes to the repository.");
      }
      if (file !== undefined) {
        const { exportAll } = await import("../backup/export-all.ts");
        return exportAll(ops, file);
      }
      const { takeSnapshot } = await import("../backup/take-snapshot.ts");
      await takeSnapshot(ops, repository);
    });
}
