import { Command, InvalidArgumentError } from "commander";
import type { Ops } from "../ops.ts";
import { Failure, WrongUsage } from "../terminal/failure.ts";
import { counted } from "../terminal/numbers.ts";
import { table } from "../terminal/table.ts";

export function failedCommand(ops: Ops): Command {
  const failed = new Command("failed").description(
    "What the indexer could not do: writes and documents that were put aside, and jobs that failed. Nothing is forgotten by itself.",
  );
  const store = async () => {
    const { createStuckStore } = await import("../stuck/stuck.ts");
    return createStuckStore(await ops.engines());
  };

  failed
    .command("list")
    .description("Lists them, the newest first.")
    .option("--limit <n>", "how many to show", wholeNumber, 50)
    .action(async ({ limit }: { limit: number }) => {
      const { total, stuck } = await (await store()).list(limit);
      const rows = stuck.map(({ id, subject, reason, at }) => [id, subject, cut(reason, 80), at]);
      const more =
        total > stuck.length ? `\n${counted(total - stuck.length, "more is", "more are")} not shown: --limit` : "";
      ops.terminal.show(
        { total, failed: stuck.map(({ id, kind, subject, reason, at }) => ({ id, kind, subject, reason, at })) },
        table(["id", "what", "reason", "at"], rows, "Nothing has failed.") + more,
      );
    });

  failed
    .command("show")
    .description("Shows one of them whole.")
    .argument("<id>", "as `ops failed list` shows it")
    .action(async (id: string) => {
      const found = await (await store()).find(id);
      if (!found) throw new Failure(`There is no '${id}' among what failed. \`ops failed list\` shows them.`);
      ops.terminal.show(
        found,
        `${found.subject}, ${found.at}\n${found.reason}\n${JSON.stringify(found.data, null, 2)}`,
      );
    });

  const onMany = (name: "retry" | "discard", description: string, past: string) =>
    failed
      .command(name)
      .description(description)
      .argument("[id...]", "as `ops failed list` shows them")
      .option("--all", "all of them")
      .addHelpText("after", `\nExamples:\n  ops failed ${name} ingest/12\n  ops failed ${name} --all`)
      .action(async (ids: string[], { all }: { all?: boolean }) => {
        if (Boolean(all) === ids.length > 0)
          throw new WrongUsage("Give ids, as `ops failed list` shows them, or --all.");
        const { settle } = await import("../stuck/settle.ts");
        const { done, foreign } = await settle(ops, name, all ? "all" : ids);
        if (foreign > 0) {
          ops.terminal.tell(
            `${counted(foreign, "dead letter was", "dead letters were")} not written by Tranche and can't be ${past}: \`ops failed discard\` removes them.`,
          );
          ops.terminal.exitCode = 1;
        }
        ops.terminal.show({ [past]: done, ...(foreign > 0 ? { foreign } : {}) }, `${counted(done, "thing")} ${past}.`);
      });
  onMany("retry", "Puts them back to be done again.", "retried");
  onMany("discard", "Forgets them for good.", "discarded");
  return failed;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 2)} …` : text;
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError("expected a whole number from 1");
  return number;
}
