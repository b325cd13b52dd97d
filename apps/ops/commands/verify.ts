import type { Verification } from "@tranche/shared/protocol/rebuild/verification";
import { Command } from "commander";
import type { Ops } from "../context/ops.ts";
import { counted, shownDuration, shownNumber } from "@tranche/shared/domain/text/numbers";
import { table } from "../terminal/table.ts";

export function verifyCommand(ops: Ops): Command {
  return new Command("verify")
    .summary("Compare every document with its records")
    .description(
      "Derive every document again from its records and compare it with the one that is searchable. The indexer does the work. " +
        "The exit code is 1 when a document differs and was not repaired.",
    )
    .option("--repair", "replace the documents that differ")
    .addHelpText("after", "\nExamples:\n  ops verify\n  ops verify --repair --json")
    .action(async ({ repair }: { repair?: boolean }) => {
      const { repairAll, runVerify } = await import("../jobs/verify.ts");
      const started = Date.now();
      const result = await (repair ? repairAll(ops) : runVerify(ops, { repair: false }));
      ops.terminal.show(result, verificationText(result, repair === true, (Date.now() - started) / 1000));
      ops.terminal.exitCode = result.differing > result.repaired ? 1 : 0;
    });
}

function verificationText(result: Verification, repair: boolean, seconds: number): string {
  const { compared, differing, differences, repaired } = result;
  const work = `Compared ${counted(compared, "document")} in ${shownDuration(seconds)}`;
  if (differing === 0) return `${work}: all match their records.`;
  const rows = differences.map(({ model, id, kind, fields }) => [model, id, kind, fields.join(", ")]);
  const more = differing > rows.length ? `\n… and ${shownNumber(differing - rows.length)} more` : "";
  const end = repair ? `Repaired ${counted(repaired, "document")}.` : "Run `ops verify --repair` to replace them.";
  const differ = `${shownNumber(differing)} ${differing === 1 ? "differs" : "differ"}`;
  return `${work}: ${differ}\n${table(["index", "id", "problem", "fields"], rows, "")}${more}\n${end}`;
}
