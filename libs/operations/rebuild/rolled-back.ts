import type { IndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { modelsOf, type Rebuild } from "@tranche/shared/protocol/rebuild/state";

/** Whether a finished rebuild was undone: its indices are no longer the live ones. */
export function isRolledBack(rebuild: Rebuild, roles: IndexRoles): boolean {
  const finished = rebuild.state === "swapped" || rebuild.state === "retired";
  return finished && modelsOf(rebuild).some((model) => roles[model].live !== rebuild.indices[model]);
}
