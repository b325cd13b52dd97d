import { Command, InvalidArgumentError } from "commander";
import type { Ops } from "../ops.ts";
import type { StuckStore } from "../stuck/stuck.ts";
import { Failure, WrongUsage } from "../terminal/failure.ts";
import { counted } from "../terminal/numbers.ts";
import { table } from "../terminal/table.ts";

/** With --all, this many are taken at a time. */
const AT_ONCE = 500;

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
      if (!found) throw missing(id);
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
        const stuck = await store();
        const done = all ? await everyone(stuck, name) : await each(stuck, name, ids);
        ops.terminal.show({ [past]: done }, `${counted(done, "thing")} ${past}.`);
      });
  onMany("retry", "Puts them back to be done again.", "retried");
  onMany("discard", "Forgets them for good.", "discarded");
  return failed;
}

async function each(stuck: StuckStore, name: "retry" | "discard", ids: string[]): Promise<number> {
  for (const id of ids) if (!(await stuck[name](id))) throw missing(id);
  return ids.length;
}

/** Those that are there now: what fails again meanwhile is left, or a retry would never end. */
async function everyone(stuck: StuckStore, name: "retry" | "discard"): Promise<number> {
  let done = 0;
  const { total } = await stuck.list(1);
  while (done < total) {
    const { stuck: some } = await stuck.list(Math.min(AT_ONCE, total - done));
    if (some.length === 0) break;
    for (const { id } of some) if (await stuck[name](id)) done++;
  }
  return done;
}

function missing(id: string): Failure {
  return new Failure(`There is no '${id}' among what failed. \`ops failed list\` shows them.`);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 2)} …` : text;
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError("expected a whole number from 1");
  return number;
}
