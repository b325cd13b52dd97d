import { type IndexRoles, moveRoles, readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import type { Rebuild } from "@tranche/shared/protocol/rebuild/state";
import { READ_MODELS, type ReadModel } from "@tranche/shared/engines/search/index-names";
import type { RebuildParts } from "./parts.ts";
import { addReplicas } from "./replicas.ts";
import { RebuildFailed } from "./step.ts";
import { refreshed } from "@tranche/shared/engines/search/refreshed";

/** Whether the new indices are live. */
export function isSwapped(roles: IndexRoles, { indices }: Rebuild): boolean {
  return READ_MODELS.every((model) => roles[model].live === indices[model]);
}

/**
 * Adds replicas to the new indices and moves all roles in one call: building to live, live to previous, unless nothing is kept. `roles` were read before the
 * verification, so a role that changed since then makes Elasticsearch refuse the swap.
 */
export async function swap(
  { client, names, layout }: Pick<RebuildParts, "client" | "names" | "layout">,
  { indices, keeps_nothing }: Rebuild,
  roles: IndexRoles,
): Promise<void> {
  const index = Object.values(indices);
  await addReplicas(client, index, layout.replicas);
  await refreshed(client, index);
  const move = (previous: (model: ReadModel) => string | undefined) =>
    moveRoles(
      client,
      names,
      READ_MODELS.flatMap((model) => [
        { model, role: "building" as const, from: indices[model] },
        { model, role: "previous" as const, from: previous(model), to: keeps_nothing ? undefined : roles[model].live },
        { model, role: "live" as const, from: roles[model].live, to: indices[model] },
      ]),
    );
  if (await move((model) => roles[model].previous)) return;
  // The swap does not fail because the previous indices were retired or given up meanwhile.
  const now = await readIndexRoles(client, names);
  const onlyPreviousGone = READ_MODELS.every((model) => now[model].previous === undefined);
  if (onlyPreviousGone && (await move(() => undefined))) return;
  throw new RebuildFailed("Elasticsearch refused the swap: the roles of the indices changed meanwhile");
}
