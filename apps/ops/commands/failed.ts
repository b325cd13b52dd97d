import { Command } from "commander";
import type { Ops } from "../context/ops.ts";
import { Failure } from "../terminal/failure.ts";
import { counted } from "@tranche/shared/domain/text/numbers";
import { table } from "../terminal/table.ts";
import { idsOrAll, wholeNumber } from "./options.ts";

export function failedCommand(ops: Ops): Command {
  const failed = new Command("failed")
    .alias("dead-letters")
    .summary("Manage dead letters")
    .description(
      "Manage dead letters: writes, documents and jobs that the indexer could not process. They stay until they are retried or discarded.",
    );
  const store = async () => {
    const { createDeadLetterStore } = await import("@tranche/operations/dead-letters/store");
    return createDeadLetterStore(await ops.engines());
  };

  failed
    .command("list")
    .description("List dead letters, newest first.")
    .option("--limit <n>", "the number of dead letters to show", wholeNumber(), 50)
    .action(async ({ limit }: { limit: number }) => {
      const { total, entries } = await (await store()).list(limit);
      const rows = entries.map(({ id, subject, reason, at }) => [id, subject, cut(reason, 80), at]);
      const more =
        total > entries.length
          ? `\n${counted(total - entries.length, "more is", "more are")} not shown; raise --limit to see them.`
          : "";
      ops.terminal.show(
        { total, failed: entries.map(({ id, kind, subject, reason, at }) => ({ id, kind, subject, reason, at })) },
        table(["id", "what", "reason", "at"], rows, "There are no dead letters.") + more,
      );
    });

  failed
    .command("show")
    .description("Show a dead letter with its data.")
    .argument("<id>", "the dead letter's id, as `ops failed list` shows it")
    .action(async (id: string) => {
      const found = await (await store()).find(id);
      if (!found) throw new Failure(`There is no dead letter '${id}'. \`ops failed list\` shows them.`);
      ops.terminal.show(
        found,
        `${found.subject}, ${found.at}\n${found.reason}\n${JSON.stringify(found.data, null, 2)}`,
      );
    });

  const onMany = (name: "retry" | "discard", description: string, past: "retried" | "discarded") =>
    failed
      .command(name)
      .description(description)
      .argument("[id...]", "ids of dead letters, as `ops failed list` shows them")
      .option("--all", "all dead letters")
      .addHelpText("after", `\nExamples:\n  ops failed ${name} ingest/12\n  ops failed ${name} --all`)
      .action(async (ids: string[], { all }: { all?: boolean }) => {
        const chosen = idsOrAll(ids, all, "ops failed list");
        const { retryOrDiscard } = await import("@tranche/operations/dead-letters/retry-or-discard");
        const { auditLogHere } = await import("../context/operator.ts");
        const { done, foreign } = await retryOrDiscard(await auditLogHere(ops), await store(), name, chosen);
        if (foreign > 0) {
          ops.terminal.warn(
            `${counted(foreign, "dead letter was", "dead letters were")} not written by Tranche and can't be ${past}: \`ops failed discard\` removes them.`,
          );
          ops.terminal.exitCode = 1;
        }
        ops.terminal.show(
          { [past]: done, ...(foreign > 0 ? { foreign } : {}) },
          `${past === "retried" ? "Requeued" : "Discarded"} ${counted(done, "dead letter")}.`,
        );
      });
  onMany("retry", "Put dead letters back into the queue.", "retried");
  onMany("discard", "Delete dead letters for good. Their contents are not processed.", "discarded");
  return failed;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 2)} …` : text;
}
