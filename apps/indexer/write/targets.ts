import type { Client } from "@elastic/elasticsearch";
import { type IndexRoles, readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import {
  type IndexNames,
  type IndexRole,
  READ_MODELS,
  type ReadModel,
} from "@tranche/shared/engines/search/index-names";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import type { TargetVersions } from "./target-versions.ts";

/** The order in which targets are written. The live index is last, so that no rebuild swaps to an index with older documents. */
const WRITE_ORDER: readonly IndexRole[] = ["building", "previous", "live"];

/** `filling`: a rebuild fills one of them. */
export type Targets = Record<ReadModel, string[]> & { filling: boolean };

type Parts = { client: Client; names: IndexNames; versions: TargetVersions };

/**
 * The indices that derived documents are written to now: building, previous, live. Never cached, and read after the ticket is
 * taken: a rebuild whose index is missing here starts later, so it reads the refreshed records itself. Throws NewerVersion.
 */
export const readTargets = (parts: Parts, _taken: Ticket): Promise<Targets> => currentTargets(parts);

/** The same for code that derives nothing for them, so no ticket has to precede it. */
export async function currentTargets(parts: Parts): Promise<Targets> {
  const roles = await readLiveRoles(parts);
  const targets = READ_MODELS.map((model) => [model, WRITE_ORDER.flatMap((role) => roles[model][role] ?? [])] as const);
  const filling = READ_MODELS.some((model) => roles[model].building !== undefined);
  return { ...(Object.fromEntries(targets) as Record<ReadModel, string[]>), filling };
}

/** An index of the investors read model that is written to now, and the funding index that its documents are counted from. */
export type InvestorTarget = { index: string; funding: string };

/**
 * The same for investors: each index with the funding index of its own role. Both change their roles together, so an investors index
 * always counts the rounds of the index beside which it is served.
 */
export async function readInvestorTargets(parts: Parts, _taken: Ticket): Promise<InvestorTarget[]> {
  const roles = await readLiveRoles(parts);
  return WRITE_ORDER.flatMap((role) => {
    const { [role]: index } = roles.investors;
    const { [role]: funding } = roles.funding;
    return index && funding ? [{ index, funding }] : [];
  });
}

async function readLiveRoles({ client, names, versions }: Parts): Promise<IndexRoles> {
  const roles = await versions.admit(await readIndexRoles(client, names));
  for (const model of READ_MODELS) {
    if (!roles[model].live) throw new Error(`no index has the alias ${names.role(model, "live")}`);
  }
  return roles;
}
