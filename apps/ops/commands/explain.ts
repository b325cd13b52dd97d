import { Argument, Command } from "commander";
import type { SubjectType } from "@tranche/operations/explain/subject";
import type { Ops } from "../context/ops.ts";
import { Failure } from "../terminal/failure.ts";

/** As in `SUBJECTS`, which help may not load. */
const TYPES: readonly SubjectType[] = ["funding", "signals", "investors", "round", "company", "investor", "signal"];

export function explainCommand(ops: Ops): Command {
  return new Command("explain")
    .summary("Show why a document looks as it does")
    .description(
      "Show a document's records with their versions, its state and ticket in the live, building and previous index, a fresh " +
        "derivation, the dead letters and open jobs that name it, and the reasons. An indexer derives the document; nothing is written.",
    )
    .addArgument(new Argument("<type>", "a read model or a type of records").choices(TYPES))
    .argument("<id>", "the id of the round (funding), company (signals), investor (investors) or signal")
    .addHelpText("after", "\nExamples:\n  ops explain funding rnd-7\n  ops explain company co-7 --json")
    .action(async (type: SubjectType, id: string) => {
      const [{ explain }, { nearestTo }, { SUBJECTS }, { explanationText }] = await Promise.all([
        import("@tranche/operations/explain/explain"),
        import("@tranche/operations/explain/nearest"),
        import("@tranche/operations/explain/subject"),
        import("../texts/explain.ts"),
      ]);
      const engines = await ops.engines();
      const explanation = await explain(engines, type, id);
      if (explanation) return ops.terminal.show(explanation, explanationText(explanation, ops.terminal.paint));
      const { record } = SUBJECTS[type];
      const { ids, types } = await nearestTo(engines, record, id);
      const hints = [
        ...types.map((other) => ` There is a record of type ${other} with this id: \`ops explain ${other} ${id}\`.`),
        ...(ids.length > 0 ? [` The nearest ids are ${ids.join(", ")}.`] : []),
      ];
      throw new Failure(
        `Unknown ${record} '${id}': it has no record, no document and no dead letter.${hints.join("")}`,
      );
    });
}
