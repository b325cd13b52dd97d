import { Command } from "commander";
import type { Ops } from "../ops.ts";

export function backupCommand(ops: Ops): Command {
  return new Command("backup")
    .summary("Write a complete backup to a file")
    .description(
      "Write everything that must last to a file: records of all types with their versions, also deleted ones, merges, snapshots of\n" +
        "companies, accounts, hashes of keys, members, saved searches and the audit log. Reads and writes continue meanwhile. The same\n" +
        "as `ops export --all FILE`.",
    )
    .argument("<file>", "the new file, NDJSON packed with gzip")
    .addHelpText("after", "\nExamples:\n  ops backup /backups/tranche-$(date +%F).ndjson.gz")
    .action(async (file: string) => {
      const { exportAll } = await import("../backup/export-all.ts");
      await exportAll(ops, file);
    });
}
