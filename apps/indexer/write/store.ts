import type { Client } from "@elastic/elasticsearch";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { writeBulk } from "@tranche/shared/engines/search/bulk";
import { assertWritten } from "@tranche/shared/engines/search/bulk-results";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import type { OnRetry } from "@tranche/shared/engines/search/retry-forever";
import { edgeItem, mergeItem, recordItem, snapshotItems, stakeItem } from "./documents.ts";
import { refreshed } from "@tranche/shared/engines/search/refreshed";

export type Stored = {
  /** Written or superseded by a newer version. The documents of both are derived, because the job may be a repeat. */
  accepted: RecordWrite[];
  superseded: number;
  rejected: { write: RecordWrite; reason: string }[];
};

/**
 * Stores record writes so that every later reader sees them: edges, stakes and snapshots, then merges, then records, then a refresh of
 * all. Edges and stakes come first: without the edge of a moved record, its former company would not be derived again, and without its
 * stake a former investor would not be. Snapshots come first so that a backup which has a record has its snapshots, too.
 */
export async function storeRecords(
  parts: { client: Client; names: IndexNames; onRetry: OnRetry },
  writes: readonly RecordWrite[],
): Promise<Stored> {
  const { client, names, onRetry } = parts;
  const traces = [edgeItem, stakeItem, snapshotItems].flatMap((itemsOf) =>
    writes.flatMap((write) => itemsOf(names, write) ?? []),
  );
  // A missing index comes back only by a restore or when an indexer starts.
  const options = { onRetry, aliasExpected: () => Promise.resolve(true) };
  // Tranche makes edges, stakes and snapshots itself, so a refused one is a bug or a missing index and fails the job.
  assertWritten(await writeBulk(client, traces, options), "edges, stakes and snapshots");

  const merges = writes.flatMap((write) => mergeItem(names, write) ?? []);
  // Merges before records: the purge keeps a deleted record that has merges, and must find them.
  const mergeResults = (merges.length > 0 ? await writeBulk(client, merges, options) : []).values();
  const records = writes.map((write) => recordItem(names, write));
  const results = await writeBulk(client, records, options);

  const stored: Stored = { accepted: [], superseded: 0, rejected: [] };
  writes.forEach((write, position) => {
    const result = write.merge ? mergeResults.next().value! : results[position]!;
    if (typeof result === "object") stored.rejected.push({ write, reason: result.rejected });
    else if (result === "alias_missing") throw new Error(`the index ${names.record(write.type)} is missing`);
    else {
      stored.accepted.push(write);
      if (result === "superseded") stored.superseded++;
    }
  });

  // Edges and stakes are refreshed even when this batch has none, because a delete has to find those of earlier writes.
  const toRefresh = [
    ...new Set([names.edges, names.stakes, ...[...traces, ...merges, ...records].map((item) => item.index)]),
  ];
  await refreshed(client, toRefresh, onRetry);
  return stored;
}
