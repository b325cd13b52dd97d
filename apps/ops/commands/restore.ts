import { Command } from "commander";
import type { Ops } from "../ops.ts";

export function restoreCommand(ops: Ops): Command {
  return new Command("restore")
    .summary("Restore a backup into an empty installation")
    .description(
      "Check a backup of `ops backup` completely, then write it into an installation without data, and have every document derived\n" +
        "again. A restore that was broken off can be run again. docs/operations.md says in which order to restore.",
    )
    .argument("<file>", "a backup of `ops backup` or `ops export --all`")
    .option("--check", "only check the file, without any engine")
    .addHelpText("after", "\nExamples:\n  ops restore backup.ndjson.gz --check\n  ops restore backup.ndjson.gz")
    .action(async (file: string, { check }: { check?: boolean }) => {
      const { restoreFile, showBackup } = await import("../backup/restore-file.ts");
      await (check ? showBackup : restoreFile)(ops, file);
    });
}
