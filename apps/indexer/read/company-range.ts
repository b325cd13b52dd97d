import type { RecordType } from "@tranche/shared/domain/records/record";
import type { StoredRecord, StoredSnapshot } from "@tranche/shared/domain/records/stored";
import { type Merges, openMerges } from "@tranche/shared/engines/search/merges";
import { readRecords, withMerges } from "@tranche/shared/engines/search/records";
import { collected, type ReadAhead, searchAhead } from "@tranche/shared/engines/search/search-all";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import { byCodePoint } from "@tranche/shared/domain/text/order";
import {
  byCompany,
  idsOf,
  investorsOf,
  type RecordsParts,
  recordsOfCompanies,
  snapshotsByCompany,
  type Sources,
} from "./sources.ts";

/** Consecutive companies by id, without `after` and with `last`. `after` is null for the first range. */
export type CompanyRange = { after: string | null; last: string };

/** The source records of a range of companies, fetched and not parsed yet. */
export type FetchedRange = {
  companies: ReadAhead<StoredRecord<"company">>;
  rounds: ReadAhead<StoredRecord<"round">>;
  signals: ReadAhead<StoredRecord<"signal">>;
  snapshots: ReadAhead<StoredSnapshot>;
  merges: Merges;
  range: Range;
};

type Range = { gt?: string; lte: string };

/** Fetches the source records of these companies' documents and of all their rounds, except investors. */
export async function fetchRange(
  parts: RecordsParts,
  _taken: Ticket,
  { after, last }: CompanyRange,
): Promise<FetchedRange> {
  // One range query is cheaper than a query with many ids: Elasticsearch looks up each id by itself.
  const range: Range = { ...(after === null ? {} : { gt: after }), lte: last };
  const read = <T>(type: RecordType | "snapshot", field: string) =>
    searchAhead<T>(parts.client, {
      index: parts.names.record(type),
      query: { range: { [field]: range } },
      sort: ["id"],
      source: true,
    });
  const [merges, companies, rounds, signals, snapshots] = await Promise.all([
    openMerges(parts),
    read<StoredRecord<"company">>("company", "id"),
    read<StoredRecord<"round">>("round", "company_id"),
    read<StoredRecord<"signal">>("signal", "company_id"),
    read<StoredSnapshot>("snapshot", "company_id"),
  ]);
  return { companies, rounds, signals, snapshots, merges, range };
}

/**
 * Parses a fetched range and reads its investors. `investors` are those already read under the same ticket; the function adds the ones
 * it reads.
 */
export async function assembleSources(
  parts: RecordsParts,
  fetched: FetchedRange,
  investors: Sources["investors"],
): Promise<Sources> {
  const { merges, range } = fetched;
  const isInRange = (companyId: string) =>
    !merges.any ||
    ((range.gt === undefined || byCodePoint(companyId, range.gt) > 0) && byCodePoint(companyId, range.lte) <= 0);
  const recordsOf = async <T extends "round" | "signal">(type: T, pages: AsyncIterable<StoredRecord<T>[]>) =>
    byCompany(await recordsOfCompanies(parts, merges, type, pages, { range: { company_id: range } }), isInRange);
  const roundsOfCompany = await recordsOf("round", fetched.rounds.pages());
  const rounds = new Map([...roundsOfCompany.values()].flat().map((round) => [round.id, round]));
  const missing = [...investorsOf(rounds.values())].filter((id) => !investors.has(id));
  for (const [id, investor] of await readRecords(parts, merges, "investor", missing)) investors.set(id, investor);
  const stored = await collected(fetched.companies.pages());
  const companies = withMerges("company", stored, await merges.of("company", idsOf(stored)));
  const signalsOfCompany = await recordsOf("signal", fetched.signals.pages());
  const snapshotsOfCompany = snapshotsByCompany(await collected(fetched.snapshots.pages()));
  return { companies, investors, rounds, roundsOfCompany, signalsOfCompany, snapshotsOfCompany };
}
