import type { Client } from "@elastic/elasticsearch";
import { type IndexNames, READ_MODELS } from "@tranche/shared/search/index-names";
import { moveRoles, readRoles } from "@tranche/shared/rebuild/roles";
import { isRunning, type RebuildStore } from "@tranche/shared/rebuild/state";

export class NoRollback extends Error {
  override name = "NoRollback";
}

/** Makes the indices before the last rebuild live again, and the live ones previous; both are kept up to date all along. */
export async function rollback(
  client: Client,
  names: IndexNames,
  rebuilds: RebuildStore,
): Promise<Record<string, string>> {
  const read = await rebuilds.read();
  if (read && isRunning(read.rebuild)) {
    throw new NoRollback(
      `rebuild ${read.rebuild.id} is running (${read.rebuild.state}); cancel it first: ops reindex cancel`,
    );
  }
  const roles = await readRoles(client, names);
  const changes = READ_MODELS.flatMap((model) => {
    const { live, previous } = roles[model];
    if (!live || !previous) throw new NoRollback(`there is no previous ${model} index to go back to`);
    return [
      { model, role: "live" as const, from: live, to: previous },
      { model, role: "previous" as const, from: previous, to: live },
    ];
  });
  if (!(await moveRoles(client, names, changes)))
    throw new NoRollback("the roles of the indices changed meanwhile; look at `ops status` and try again");
  return Object.fromEntries(READ_MODELS.map((model) => [model, roles[model].previous!]));
}
