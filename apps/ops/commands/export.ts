import { once } from "node:events";
import { RECORD_TYPES, type RecordType } from "@tranche/shared/domain/records/record";
import { Command, Option } from "commander";
import type { Ops } from "../context/ops.ts";
import { counted } from "@tranche/shared/domain/text/numbers";
import { plainJson } from "../terminal/plain.ts";

export function exportCommand(ops: Ops): Command {
  return new Command("export")
    .summary("Print all records as NDJSON, or write a backup")
    .description(
      "Print all records as NDJSON that `ops ingest` can read again, companies first. With --json, print one array. Deleted records and " +
        "the snapshots of companies (their past headcounts and technologies) are not included; with --all, write a complete backup.",
    )
    .addOption(new Option("--type <type>", "print only records of this type").choices(RECORD_TYPES))
    .addOption(
      new Option(
        "--all <file>",
        "write a complete backup for `ops restore` to a new file; `-` is standard output",
      ).conflicts("type"),
    )
    .addHelpText(
      "after",
      "\nExamples:\n  ops export | gzip > records.ndjson.gz\n  ops export --type round > rounds.ndjson\n  ops export --all backup.ndjson.gz",
    )
    .action(async ({ type, all }: { type?: RecordType; all?: string }) => {
      if (all !== undefined) {
        const { exportAll } = await import("../backup/export-all.ts");
        return exportAll(ops, all);
      }
      const { exportRecords } = await import("../backup/export.ts");
      const { terminal } = ops;
      const engines = await ops.engines();
      const print = async (text: string) => {
        if (!terminal.stdout.write(text)) await once(terminal.stdout, "drain");
      };
      let count = 0;
      if (terminal.json) await print("[");
      for (const each of type ? [type] : RECORD_TYPES) {
        for await (const page of exportRecords(engines, each)) {
          const separator = terminal.json ? ",\n" : "\n";
          const before = terminal.json && count > 0 ? separator : "";
          count += page.length;
          await print(before + page.map((record) => plainJson(record)).join(separator) + (terminal.json ? "" : "\n"));
        }
      }
      if (terminal.json) await print("]\n");
      terminal.tell(`Exported ${counted(count, "record")}.`);
    });
}
