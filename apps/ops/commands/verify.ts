import type { Verification } from "@tranche/shared/verify/verification";
import { Command } from "commander";
import type { Ops } from "../ops.ts";
import { counted, shownNumber } from "../terminal/numbers.ts";
import { table } from "../terminal/table.ts";

export function verifyCommand(ops: Ops): Command {
  return new Command("verify")
    .summary("compare every document with its records")
    .description(
      "Derives every document afresh from the records and compares it with what is searchable. Exit code 1 when something differs\n" +
        "and was not repaired. The indexer does the work.",
    )
    .option("--repair", "write the fresh document where one differs")
    .addHelpText("after", "\nExamples:\n  ops verify\n  ops verify --repair --json")
    .action(async ({ repair }: { repair?: boolean }) => {
      const { repairAll, runVerify } = await import("../verify/verify.ts");
      const result = await (repair ? repairAll(ops) : runVerify(ops, { repair: false }));
      ops.terminal.show(result, verificationText(result, repair === true));
      ops.terminal.exitCode = result.differing > result.repaired ? 1 : 0;
    });
}

function verificationText({ compared, differing, differences, repaired }: Verification, repair: boolean): string {
  if (differing === 0) return `${counted(compared, "document")} compared: each is what its records say.`;
  const rows = differences.map(({ model, id, kind, fields }) => [model, id, kind, fields.join(", ")]);
  const more = differing > rows.length ? `\n… and ${shownNumber(differing - rows.length)} more` : "";
  const end = repair ? `Repaired: ${shownNumber(repaired)}.` : "`ops verify --repair` writes what they should be.";
  return `${counted(compared, "document")} compared, ${shownNumber(differing)} differ:\n${table(["index", "id", "is", "differs in"], rows, "")}${more}\n${end}`;
}
