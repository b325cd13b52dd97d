import { announceEverything } from "@tranche/shared/generations/generation";
import { NoRollback, rollback } from "@tranche/shared/rebuild/rollback";
import { createRebuildStore } from "@tranche/shared/rebuild/state";
import { READ_MODELS } from "@tranche/shared/search/indices";
import { Command } from "commander";
import type { Ops } from "../ops.ts";
import { Failure } from "../terminal/failure.ts";

export function rollbackCommand(ops: Ops): Command {
  return new Command("rollback")
    .description(
      "Makes the indices from before the last rebuild live again. They were kept up to date: no write is lost. Once more undoes it.",
    )
    .action(async () => {
      const engines = await ops.engines();
      const { client, names, redis, settings } = engines;
      const live = await rollback(client, names, createRebuildStore(client, names)).catch((error: Error) => {
        if (!(error instanceof NoRollback)) throw error;
        throw new Failure(`Nothing was rolled back: ${error.message}.`);
      });
      const parts = { redis, namespace: settings.TRANCHE_NAMESPACE, tickets: engines.tickets() };
      await announceEverything(parts, READ_MODELS);
      ops.terminal.show({ live }, `Live now: ${Object.values(live).join(", ")}.`);
    });
}
