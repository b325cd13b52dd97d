import { Command, Option } from "commander";
import { readDealTypes } from "@tranche/shared/settings/vocabulary-file";
import { createProgress } from "../ingest/progress.ts";
import { openRefusals } from "../ingest/refusals.ts";
import { readMapping } from "../mapping/mapping.ts";
import { runIngest } from "../ingest/run.ts";
import { summaryText } from "../ingest/tally.ts";
import type { Ops } from "../ops.ts";
import { csvReader } from "../sources/csv.ts";
import { type Format, FORMATS } from "../sources/source.ts";

type Options = { format?: Format; map?: string; rejects?: string; wait?: boolean };

const INTERRUPTED = 130;

export function ingestCommand(ops: Ops): Command {
  return new Command("ingest")
    .summary("put records from files into the queue")
    .description(
      "Reads companies, investors, rounds and signals and puts them into the queue, from which the indexer takes them.\n" +
        "Files may be packed with gzip; `-` is standard input. Bad lines are refused one by one, with file, line, field and reason;\n" +
        "good lines go in. Exit code 1 when anything was refused. docs/ingest.md describes the records.",
    )
    .argument("<file...>", "files to read, or - for standard input")
    .addOption(
      new Option("--format <format>", "ndjson, json (one array) or csv; found out when not given").choices(FORMATS),
    )
    .option("--map <file>", "mapping file for CSV (implies --format csv)")
    .option("--rejects <file>", "write every refused line to this file, as NDJSON")
    .option("--wait", "come back when everything is searchable")
    .addHelpText(
      "after",
      `
Examples:
  ops ingest companies.ndjson rounds.ndjson.gz --wait
  ops ingest rounds.ndjson --rejects refused.ndjson
  ops ingest deals.csv --map deals.map.json
  gunzip -c rounds.ndjson.gz | ops ingest - --json`,
    )
    .action(async (files: string[], options: Options, command: Command) => {
      if (options.format === "csv" && !options.map)
        command.error("error: --format csv needs --map FILE, which says what the columns mean");
      if (options.map && options.format && options.format !== "csv")
        command.error("error: --map is for CSV: leave --format out");
      if (files.filter((file) => file === "-").length > 1) command.error("error: standard input can be read only once");

      const { terminal } = ops;
      const dealTypes = readDealTypes(ops.settings().TRANCHE_VOCABULARY_FILE);
      const progress = createProgress(terminal);
      const refusals = await openRefusals(options.rejects, progress.tell);
      const engines = await ops.engines();
      const interrupted = ops.onInterrupt();
      interrupted.addEventListener("abort", () => progress.tell("Stopping … (Ctrl-C again to stop at once)"));
      try {
        const summary = await runIngest(
          {
            files,
            format: options.format,
            csv: options.map === undefined ? undefined : csvReader(readMapping(options.map)),
            wait: options.wait === true,
          },
          { engines, dealTypes, stdin: terminal.stdin, progress, refusals, interrupted },
        );
        await refusals.close();
        progress.stop();
        terminal.show(summary, summaryText(summary));
        const failed = summary.refused > 0 || summary.searchable === false;
        terminal.exitCode = summary.interrupted ? INTERRUPTED : failed ? 1 : 0;
      } finally {
        progress.stop();
      }
    });
}
