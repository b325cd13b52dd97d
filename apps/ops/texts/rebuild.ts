import type { LostRollback } from "@tranche/shared/protocol/rebuild/give-up";
import type { Rebuild, RebuildState } from "@tranche/shared/protocol/rebuild/state";
import { shownDuration, shownNumber } from "@tranche/shared/domain/text/numbers";

const STAGES: Partial<Record<RebuildState, string>> = {
  planned: "waiting for an indexer; after a rebuild it first brings the feed up to date",
  created: "creating the new indices",
  verifying: "comparing the new indices with the live ones",
};

/** The step of a running rebuild; undefined while it copies, where a count says more. */
export const stageText = ({ state }: Rebuild): string | undefined => STAGES[state];

export const ROLLED_BACK = "It was rolled back: the live indices are those from before it.";

/** Why there is nothing to go back to. */
export const lostRollbackText = ({ at, reason }: LostRollback): string =>
  `A rollback is no longer possible: the previous indices were given up at ${at}, because ${reason}.`;

/** A rebuild in one line. */
export function rebuildText(rebuild: Rebuild): string {
  return `Rebuild ${rebuild.id}, started at ${rebuild.started_at}: ${stateText(rebuild)}.`;
}

function stateText(rebuild: Rebuild): string {
  const { state, started_at, updated_at, indices, reason, written, expected } = rebuild;
  const seconds = (Date.parse(updated_at) - Date.parse(started_at)) / 1000;
  switch (state) {
    case "swapped":
      return `done in ${shownDuration(seconds)}, at ${updated_at}; new indices: ${Object.values(indices).join(", ")}`;
    case "retired":
      return `done; the previous indices are no longer kept (since ${updated_at})`;
    case "failed":
      return `failed at ${updated_at}, and nothing has changed: ${reason}`;
    case "cancelled":
      return `cancelled at ${updated_at} ${reason}`;
    default:
      return `running: ${stageText(rebuild) ?? `${shownNumber(written)} of ${shownNumber(expected)} documents`}`;
  }
}
