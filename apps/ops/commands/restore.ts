import { Command, Option } from "commander";
import type { Ops } from "../context/ops.ts";
import { WrongUsage } from "../terminal/failure.ts";

type Options = { check?: boolean; snapshot?: string; repository?: string };

export function restoreCommand(ops: Ops): Command {
  return new Command("restore")
    .summary("Restore a backup into an empty installation")
    .description(
      "Check a backup of `ops backup` completely, then restore it into an installation without data, and have every document derived " +
        "again. An interrupted restore can be run again. docs/operations.md has the order of a restore.",
    )
    .argument("[file]", "a backup of `ops backup FILE` or `ops export --all FILE`")
    .addOption(new Option("--check", "only check the file, without any engine").conflicts(["snapshot", "repository"]))
    .option("--snapshot <name>", "restore this snapshot in place of a file; all indexers must be stopped")
    .option("--repository <name>", "the repository of the snapshot, if Elasticsearch has several")
    .addHelpText(
      "after",
      "\nExamples:\n  ops restore backup.ndjson.gz --check\n  ops restore backup.ndjson.gz\n  ops restore --snapshot tranche-20260101t030000000z",
    )
    .action(async (file: string | undefined, { check, snapshot, repository }: Options) => {
      if ((file === undefined) === (snapshot === undefined)) {
        throw new WrongUsage("Name what is to be restored: a file, or a snapshot with --snapshot.");
      }
      if (file === undefined) {
        const { restoreSnapshot } = await import("../backup/restore-snapshot.ts");
        return restoreSnapshot(ops, snapshot!, repository);
      }
      if (repository !== undefined) throw new WrongUsage("--repository belongs to --snapshot, not to a file.");
      const { restoreFile, showBackup } = await import("../backup/restore-file.ts");
      await (check ? showBackup : restoreFile)(ops, file);
    });
}
