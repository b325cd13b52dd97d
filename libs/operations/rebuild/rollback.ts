import { announceEverything } from "@tranche/shared/protocol/generations/generation";
import { readLostRollback } from "@tranche/shared/protocol/rebuild/give-up";
import { moveRoles, readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { createRebuildStore, isRunning } from "@tranche/shared/protocol/rebuild/state";
import { unwritable } from "@tranche/shared/engines/search/unwritable";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import type { Installation } from "../installation/installation.ts";

/**
 * Makes the indices from before the last rebuild live again and the live ones previous, then announces it to the API. Both are kept
 * up to date. Returns the live index of each read model. Throws NothingRolledBack when there is nothing to go back to.
 */
export async function rollback(installation: Installation): Promise<Record<string, string>> {
  const { client, names, redis, settings } = installation;
  const read = await createRebuildStore(client, names).read();
  if (read && isRunning(read.rebuild)) {
    throw nothingDone(
      `rebuild ${read.rebuild.id} is running (${read.rebuild.state}); cancel it first: ops reindex cancel`,
    );
  }
  const roles = await readIndexRoles(client, names);
  const lost = await readLostRollback(client, names, roles);
  if (lost)
    throw nothingDone(
      `the previous indices were given up at ${lost.at}, because ${lost.reason}; only a rebuild can replace the live indices: ops reindex`,
    );
  const changes = READ_MODELS.flatMap((model) => {
    const { live, previous } = roles[model];
    if (!live || !previous) throw nothingDone(`there is no previous ${model} index to go back to`);
    return [
      { model, role: "live" as const, from: live, to: previous },
      { model, role: "previous" as const, from: previous, to: live },
    ];
  });
  const lacking = await unwritable(
    client,
    changes.flatMap(({ role, to }) => (role === "live" ? [to] : [])),
  );
  if (lacking.size > 0)
    throw nothingDone(
      `${[...lacking].join(", ")} would be live then, and takes no writes: a shard is away, or a disk is nearly full; GET _cluster/allocation/explain says more. Or start a rebuild: ops reindex`,
    );
  if (!(await moveRoles(client, names, changes)))
    throw nothingDone("the roles of the indices changed meanwhile; check `ops status` and try again");
  const parts = { redis, namespace: settings.TRANCHE_NAMESPACE, tickets: installation.tickets() };
  await announceEverything(parts, READ_MODELS);
  return Object.fromEntries(READ_MODELS.map((model) => [model, roles[model].previous!]));
}

/** Raised for people: there is nothing to go back to, and nothing has changed. */
export class NothingRolledBack extends Error {
  override name = "NothingRolledBack";
}

const nothingDone = (reason: string) => new NothingRolledBack(`Nothing was rolled back: ${reason}.`);
