import type { Client } from "@elastic/elasticsearch";
import { readRoles } from "@tranche/shared/rebuild/roles";
import { type IndexNames, READ_MODELS, type ReadModel, type Role } from "@tranche/shared/search/index-names";
import type { Ticket } from "@tranche/shared/ticket/ticket-clock";

/** The order in which targets are written. The live index is last, so that no rebuild swaps to an index with older documents. */
const WRITE_ORDER: readonly Role[] = ["building", "previous", "live"];

export type Targets = Record<ReadModel, string[]>;

/**
 * The indices that derived documents are written to now: building, previous, live. Never cached, and read after the ticket is
 * taken: a rebuild whose index is missing here starts later, so it reads the refreshed records itself.
 */
export async function readTargets(
  { client, names }: { client: Client; names: IndexNames },
  _taken: Ticket,
): Promise<Targets> {
  const roles = await readRoles(client, names);
  const targets = READ_MODELS.map((model) => {
    if (!roles[model].live) throw new Error(`no index has the alias ${names.role(model, "live")}`);
    return [model, WRITE_ORDER.flatMap((role) => roles[model][role] ?? [])] as const;
  });
  return Object.fromEntries(targets) as Targets;
}
