import type { Client, estypes } from "@elastic/elasticsearch";
import { daysOf, type Snapshot } from "@tranche/shared/domain/records/snapshots";
import type { StoredRecord, StoredSnapshot } from "@tranche/shared/domain/records/stored";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import type { Merges } from "@tranche/shared/engines/search/merges";
import { storedById, withMerges } from "@tranche/shared/engines/search/records";
import { collected } from "@tranche/shared/engines/search/search-all";
import { byCodePoint } from "@tranche/shared/domain/text/order";

/** The records that a batch of documents is derived from. Deleted and unknown records are absent. */
export type Sources = {
  companies: Map<string, StoredRecord<"company">>;
  investors: Map<string, StoredRecord<"investor">>;
  rounds: Map<string, StoredRecord<"round">>;
  roundsOfCompany: Map<string, StoredRecord<"round">[]>;
  signalsOfCompany: Map<string, StoredRecord<"signal">[]>;
  snapshotsOfCompany: Map<string, readonly Snapshot[]>;
};

export type RecordsParts = { client: Client; names: IndexNames };

/** Ids of the investors of rounds. */
export function investorsOf(rounds: Iterable<StoredRecord<"round">>): Set<string> {
  const ids = new Set<string>();
  for (const { body } of rounds) for (const { investor_id } of body!.investors) ids.add(investor_id);
  return ids;
}

/**
 * Records of some companies with their merges on top: those stored with a company (`pages`), and those that a merge moves to one
 * (`query`). A merge may also move a record to another company, so the caller filters the result by company.
 */
export async function recordsOfCompanies<T extends "round" | "signal">(
  parts: RecordsParts,
  merges: Merges,
  type: T,
  pages: AsyncIterable<StoredRecord<T>[]>,
  query: estypes.QueryDslQueryContainer,
): Promise<StoredRecord<T>[]> {
  const stored = await collected(pages);
  if (!merges.any) return stored;
  const named = await merges.recordsWhere(type, query);
  const ids = new Set(idsOf(stored));
  const more = named.filter((id) => !ids.has(id));
  stored.push(...(await storedById<T>(parts, type, more)));
  const mergesOfThem = await merges.of(type, [...ids, ...more]);
  const records = [...withMerges(type, stored, mergesOfThem).values()];
  return more.length === 0 ? records : records.toSorted((a, b) => byCodePoint(a.id, b.id));
}

export const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

/** Records by their company, without those of other companies. */
export function byCompany<T extends { company_id?: string }>(
  records: readonly T[],
  isWanted: (companyId: string) => boolean,
): Map<string, T[]> {
  return Map.groupBy(
    records.filter((record) => isWanted(record.company_id!)),
    (record) => record.company_id!,
  );
}

/** The snapshots that count, by company, one per day. */
export function snapshotsByCompany(snapshots: readonly StoredSnapshot[]): Sources["snapshotsOfCompany"] {
  const found: Sources["snapshotsOfCompany"] = new Map();
  for (const [id, history] of Map.groupBy(snapshots, (snapshot) => snapshot.company_id)) {
    found.set(id, daysOf(history));
  }
  return found;
}
