import { announceEverything } from "@tranche/shared/generations/generation";
import { NoRollback, rollback } from "./rollback.ts";
import { createRebuildStore } from "@tranche/shared/rebuild/state";
import { READ_MODELS } from "@tranche/shared/search/index-names";
import type { Engines } from "../engines/connect.ts";
import { Failure } from "../terminal/failure.ts";

/** Makes the indices from before the last rebuild live, and announces it to the API. Returns the live index of each read model. */
export async function rollBack(engines: Engines): Promise<Record<string, string>> {
  const { client, names, redis, settings } = engines;
  const live = await rollback(client, names, createRebuildStore(client, names)).catch((error: Error) => {
    if (!(error instanceof NoRollback)) throw error;
    throw new Failure(`Nothing was rolled back: ${error.message}.`);
  });
  const parts = { redis, namespace: settings.TRANCHE_NAMESPACE, tickets: engines.tickets() };
  await announceEverything(parts, READ_MODELS);
  return live;
}
