import { statSync } from "node:fs";
import { Command } from "commander";
import type { Ops } from "../context/ops.ts";
import { WrongUsage } from "../terminal/failure.ts";
import { wholeNumber } from "./options.ts";

export function backupCommand(ops: Ops): Command {
  return new Command("backup")
    .summary("Make a complete backup: a file, or a snapshot")
    .description(
      "Back up everything that must last: records with their versions, also deleted ones, merges, snapshots of companies, accounts, " +
        "hashes of keys, members, saved searches and the audit log. Reads and writes continue meanwhile. With a file it is the same as " +
        "`ops export --all FILE`; without one it is a snapshot in a repository of Elasticsearch, which is faster on large installations. " +
        "In a folder, the file is named after the time, and is read to its end before it counts.",
    )
    .argument("[file]", "a new file, NDJSON packed with gzip, or a folder")
    .option(
      "--keep <number>",
      "delete older backups of this installation in the folder, but for the newest",
      wholeNumber(),
    )
    .option("--repository <name>", "the snapshot repository, if Elasticsearch has several")
    .addHelpText(
      "after",
      "\nExamples:\n  ops backup /backups/tranche.ndjson.gz\n  ops backup --keep 14 /backups\n  ops backup --repository nightly",
    )
    .action(async (file: string | undefined, { repository, keep }: { repository?: string; keep?: number }) => {
      if (file !== undefined && repository !== undefined) {
        throw new WrongUsage("Give a file or --repository, not both: a snapshot goes to the repository.");
      }
      const intoFolder = file !== undefined && statSync(file, { throwIfNoEntry: false })?.isDirectory();
      if (keep !== undefined && !intoFolder) {
        throw new WrongUsage(`--keep needs a folder that exists, such as \`ops backup --keep ${keep} /backups\`.`);
      }
      if (intoFolder) {
        const { backupInto } = await import("../backup/into-folder.ts");
        return backupInto(ops, file, keep);
      }
      if (file !== undefined) {
        const { exportAll } = await import("../backup/export-all.ts");
        return exportAll(ops, file);
      }
      const { takeSnapshot } = await import("../backup/take-snapshot.ts");
      await takeSnapshot(ops, repository);
    });
}
