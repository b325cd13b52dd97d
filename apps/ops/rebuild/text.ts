import type { Rebuild } from "@tranche/shared/rebuild/state";
import { shownNumber } from "../terminal/numbers.ts";

/** How far a running rebuild is. */
export function progressText({ state, written, expected }: Rebuild): string {
  return state === "copying" ? `${shownNumber(written)} of ${shownNumber(expected)} documents` : state;
}

/** A rebuild in one line. */
export function rebuildText(rebuild: Rebuild): string {
  const { id, state, started_at, updated_at, indices, reason } = rebuild;
  const how = {
    retired: `done; the indices from before it are no longer kept since ${updated_at}`,
    swapped: `done at ${updated_at}; it made ${Object.values(indices).join(" and ")}`,
    failed: `failed at ${updated_at}, and nothing has changed: ${reason}`,
    cancelled: `cancelled at ${updated_at} ${reason}`,
  } as const;
  const told = state in how ? how[state as keyof typeof how] : `running, ${progressText(rebuild)}`;
  return `Rebuild ${id}, begun at ${started_at}: ${told}.`;
}
