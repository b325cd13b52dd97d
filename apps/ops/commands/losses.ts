import { Command } from "commander";
import type { Ops } from "../context/ops.ts";
import { Failure } from "../terminal/failure.ts";
import { counted } from "@tranche/shared/domain/text/numbers";
import { table } from "../terminal/table.ts";
import { idsOrAll } from "./options.ts";

export function lossesCommand(ops: Ops): Command {
  const losses = new Command("losses")
    .summary("Show and resolve what Redis lost")
    .description(
      "Show and resolve losses: what Redis had acknowledged and lost, by a failover or without its disk. `ops ingest` of the files that " +
        "a loss names resolves it by itself, if they are unchanged.",
    );
  const stores = async () => {
    const { createLosses } = await import("@tranche/operations/dead-letters/losses");
    return createLosses(await ops.engines());
  };

  losses
    .command("list")
    .description("List losses that are not resolved, newest first.")
    .action(async () => {
      const { originsText } = await import("@tranche/shared/protocol/runs/job-origins");
      const found = await (await stores()).open();
      const rows = found.map(({ id, at, lost }) => [
        id,
        at,
        lost.length > 0 ? originsText(lost) : "what other programs had enqueued may be lost",
      ]);
      ops.terminal.show({ losses: found }, table(["id", "noticed at", "ingest again"], rows, "There are no losses."));
    });

  losses
    .command("resolve")
    .description("Mark losses as resolved, when what they name was ingested again or is not needed.")
    .argument("[id...]", "ids of losses, as `ops losses list` shows them")
    .option("--all", "all losses")
    .addHelpText("after", "\nExamples:\n  ops losses resolve ingest-loss-run-3fa9c0d1e2\n  ops losses resolve --all")
    .action(async (ids: string[], { all }: { all?: boolean }) => {
      const given = idsOrAll(ids, all, "ops losses list");
      const { auditedHere } = await import("../context/operator.ts");
      const store = await stores();
      const open = await store.open();
      const unknown = ids.find((id) => !open.some((loss) => loss.id === id));
      if (unknown !== undefined)
        throw new Failure(`There is no open loss '${unknown}'. \`ops losses list\` shows them.`);
      const chosen = given === "all" ? open.map(({ id }) => id) : given;
      await auditedHere(
        ops,
        "losses.resolve",
        { ids: chosen.join(" ").slice(0, 1000) },
        () => store.resolve(chosen),
        () => ({ resolved: String(chosen.length) }),
      );
      ops.terminal.show({ resolved: chosen.length }, `Resolved ${counted(chosen.length, "loss", "losses")}.`);
    });
  return losses;
}
