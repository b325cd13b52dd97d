import { MAX_SHARDS, type ReshardedStore } from "@tranche/shared/search/resharding";
import { Command, InvalidArgumentError } from "commander";
import type { Ops } from "../context/ops.ts";
import { shownDuration, shownNumber } from "../terminal/numbers.ts";
import { table } from "../terminal/table.ts";

export function reshardCommand(ops: Ops): Command {
  return new Command("reshard")
    .summary("Spread the stored records over another number of shards")
    .description(
      "Move every store (records, edges, stakes) to an index with another number of shards, one store after the other. The indexer does the\n" +
        "work. Searches continue; ingested records wait in the queue while the store that they belong to is copied.\n" +
        "The search indices get their shards from TRANCHE_SHARDS when they are built: run `ops reindex` for those.",
    )
    .option("--shards <number>", "primary shards of each store (default: TRANCHE_SHARDS)", shardsOf)
    .addHelpText("after", "\nExamples:\n  ops reshard --shards 3\n  ops reshard --json")
    .action(async ({ shards }: { shards?: number }) => {
      const { reshardStores } = await import("../reshard/reshard.ts");
      const moved = await reshardStores(ops, shards);
      ops.terminal.show({ moved }, reshardedText(moved));
    });
}

function shardsOf(text: string): number {
  const shards = Number(text);
  if (/^\d+$/.test(text) && shards >= 1 && shards <= MAX_SHARDS) return shards;
  throw new InvalidArgumentError(`Expected a whole number from 1 to ${MAX_SHARDS}.`);
}

function reshardedText(moved: readonly ReshardedStore[]): string {
  if (moved.length === 0) return "Every store already has this number of shards: nothing was moved.";
  const rows = moved.map(({ store, from, to, documents, seconds }) => [
    store,
    String(from),
    String(to),
    shownNumber(documents),
    shownDuration(seconds),
  ]);
  return table(["store", "shards before", "now", "documents", "took"], rows, "");
}
