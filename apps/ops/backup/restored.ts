import type { Rebuild } from "@tranche/shared/protocol/rebuild/state";
import { rebuildText } from "../texts/rebuild.ts";
import { counted, shownNumber } from "@tranche/shared/domain/text/numbers";

/** The result of a restore, and the remaining steps. */
export type Restored = {
  backup: string;
  taken_at: string;
  documents: number;
  already_there: number;
  revoked_keys: string[];
  closed_accounts: string[];
  writes_requeued: number;
  /** Whether every write since the backup is in the queue again. */
  complete: boolean;
  ingest_again: { files: string[]; started_at: string; enqueued_at: string | null }[];
  rebuild: Rebuild;
  indexers: number;
};

/** The report of a restore, as people read it. */
export function restoredText(restored: Restored): string {
  const { documents, already_there, taken_at, revoked_keys, closed_accounts, writes_requeued, complete } = restored;
  const there = already_there > 0 ? `, ${shownNumber(already_there)} of them already existed` : "";
  return [
    `Restored ${counted(documents, "document")} as of ${taken_at}${there}.`,
    ...(writes_requeued > 0
      ? [
          `${counted(writes_requeued, "record write")} of after the backup are in the queue again: Redis still had them.`,
        ]
      : []),
    ...(complete
      ? []
      : [`Ingest again what was ingested after ${taken_at}: nothing in the two engines has all of it.`]),
    ...restored.ingest_again.map(
      ({ files, started_at }) =>
        `  not complete at the time of the backup: ${files.join(" ")} (ingest of ${started_at})`,
    ),
    ...(revoked_keys.length > 0
      ? [
          `Revoked again, because Redis knew of it: ${counted(revoked_keys.length, "key")} (${revoked_keys.join(", ")}).`,
        ]
      : []),
    ...(closed_accounts.length > 0
      ? [`Suspended or deleted again, because Redis knew of it: ${closed_accounts.join(", ")}.`]
      : []),
    `Keys that were revoked after ${taken_at} work again, unless they are named above: revoke them again. Members sign in again.`,
    rebuildText(restored.rebuild),
    ...(restored.indexers === 0
      ? ["No indexer is connected. The documents are derived when one starts: `npm run indexer`."]
      : []),
  ].join("\n");
}
