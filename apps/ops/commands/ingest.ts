import { shareOf } from "@tranche/shared/domain/text/share";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Ops } from "../context/ops.ts";
import type { IngestOptions } from "../ingest/options.ts";
import { FORMATS } from "@tranche/intake/sources/formats";
import { storedName } from "./options.ts";

export function ingestCommand(ops: Ops): Command {
  return new Command("ingest")
    .summary("Load records from files")
    .description(
      "Read companies, investors, rounds and signals and put them into the queue of the indexer. Files may be compressed with gzip; " +
        "`-` is standard input. Bad lines are refused one by one, with file, line, field and reason; good lines are loaded. The exit " +
        "code is 1 when anything was refused. On a terminal, the mapping of a CSV or JSON file without records is asked for. " +
        "docs/records.md describes the records, docs/mappings.md the mappings.",
    )
    .argument("<file...>", "files to read, or - for standard input")
    .addOption(new Option("--format <format>", "ndjson, json (one array) or csv; detected if omitted").choices(FORMATS))
    .option("--map <map>", "mapping for CSV, or for JSON of another shape: a file, or the name of a stored one")
    .option("--suggest-map", "print a first mapping for a CSV or JSON file, made from its columns, and load nothing")
    .option(
      "--answer <id=answer>",
      "with --suggest-map: answer a question, or name the column of a meaning (amount=Total); repeatable",
      (answer: string, before: string[] | undefined) => [...(before ?? []), answer],
    )
    .option("--rejects <file>", "write every refused line to this file, as NDJSON")
    .option("--strict", "refuse records with unknown fields or duplicate keys, which are otherwise only counted")
    .option("--only-new", "leave existing records alone")
    .option("--dry-run", "load nothing: show the first records, the counts, and what would become of existing records")
    .option(
      "--set <name>",
      "the files are everything that this set has now: what it had and lacks now is deleted",
      storedName,
    )
    .option(
      "--allow-deletes <share>",
      "with --set: the share of its records that may go at once, such as 100%",
      deletedShare,
    )
    .option("--wait", "wait until everything is searchable")
    .addHelpText(
      "after",
      `
Examples:
  ops ingest companies.ndjson rounds.ndjson.gz --wait
  ops ingest rounds.ndjson --rejects refused.ndjson
  ops ingest deals.csv
  ops ingest --suggest-map deals.csv > deals.map.json
  ops ingest deals.csv --map deals.map.json --dry-run
  ops ingest dump.ndjson.gz --set crm --wait
  gunzip -c rounds.ndjson.gz | ops ingest - --json`,
    )
    .action(async (files: string[], options: IngestOptions, command: Command) => {
      if (options.format === "csv" && !options.map)
        command.error("error: --format csv needs --map FILE, which says what the columns mean");
      if (options.map && options.format && options.format !== "csv")
        command.error("error: a mapping says the format itself: leave --format out");
      if (files.filter((file) => file === "-").length > 1) command.error("error: standard input can be read only once");

      if (options.allowDeletes !== undefined && options.set === undefined)
        command.error("error: --allow-deletes is for --set");
      if (options.set !== undefined && (options.onlyNew || options.dryRun || options.suggestMap))
        command.error("error: --set can't be used with --only-new, --dry-run or --suggest-map");
      if (options.dryRun && options.wait) command.error("error: --dry-run enqueues nothing to wait for");
      if (options.answer && options.answer.length > 0 && !options.suggestMap)
        command.error("error: --answer is for --suggest-map");
      if (options.suggestMap) {
        if (files.length > 1) command.error("error: --suggest-map takes one file");
        const { suggestMap } = await import("../suggest/command.ts");
        return suggestMap(ops, files[0]!, options.answer ?? []);
      }
      const asks = ops.terminal.ask !== undefined && !options.map && !options.format && files.length === 1;
      const asked =
        asks && files[0] !== "-"
          ? await (await import("../suggest/command.ts")).askForMapping(ops, files[0]!)
          : "records";
      if (asked === undefined) return;
      const { ingestFiles } = await import("../ingest/ingest.ts");
      await ingestFiles(ops, files, asked === "records" ? options : { ...options, map: asked.map });
    });
}

/** A text such as `100%` as a share. */
function deletedShare(text: string): number {
  const share = shareOf(text);
  if (share !== undefined) return share;
  throw new InvalidArgumentError("Expected a whole number of percent, such as 100%.");
}
