import type { Client, estypes } from "@elastic/elasticsearch";
import type { RecordType } from "@tranche/shared/records/record";
import type { StoredRecord, StoredSnapshot } from "@tranche/shared/records/stored";
import type { IndexNames } from "@tranche/shared/search/index-names";
import { type Merges, openMerges } from "@tranche/shared/search/merges";
import { readRecords, storedById, withMerges } from "@tranche/shared/search/records";
import { type ReadAhead, searchAhead, searchAll } from "@tranche/shared/search/search-all";
import type { Ticket } from "@tranche/shared/ticket/ticket-clock";
import { byCodePoint } from "@tranche/shared/text/order";
import type { DocumentIds } from "../affected/affected-documents.ts";
import { oneADay } from "./snapshots.ts";

/** All records that a batch of documents is made of; what is deleted or unknown is absent. */
export type Material = {
  companies: Map<string, StoredRecord<"company">>;
  investors: Map<string, StoredRecord<"investor">>;
  rounds: Map<string, StoredRecord<"round">>;
  roundsOfCompany: Map<string, StoredRecord<"round">[]>;
  signalsOfCompany: Map<string, StoredRecord<"signal">[]>;
  snapshotsOfCompany: Map<string, readonly StoredSnapshot[]>;
};

type Parts = { client: Client; names: IndexNames };

/** Reads the records that the documents are derived from, as they are after the ticket was taken. */
export async function readMaterial(parts: Parts, _taken: Ticket, ids: DocumentIds): Promise<Material> {
  const merges = await openMerges(parts);
  const companyIds = [...ids.companies];
  const [rounds, ofTheirs] = await Promise.all([
    readRecords(parts, merges, "round", ids.rounds),
    ofCompanies(parts, merges, companyIds),
  ]);
  const companiesOfRounds = [...rounds.values()].map((round) => round.body!.company_id);
  const [companies, investors] = await Promise.all([
    readRecords(parts, merges, "company", new Set([...companyIds, ...companiesOfRounds])),
    readRecords(
      parts,
      merges,
      "investor",
      investorsOf([...rounds.values(), ...[...ofTheirs.roundsOfCompany.values()].flat()]),
    ),
  ]);
  return { ...ofTheirs, companies, investors, rounds };
}

/** Companies that stand next to each other by id: `after` is the id before the first of them, null at the beginning. */
export type CompanyRange = { after: string | null; last: string };

/** Companies with all that is theirs, read but not looked at yet. */
export type Families = {
  companies: ReadAhead<StoredRecord<"company">>;
  rounds: ReadAhead<StoredRecord<"round">>;
  signals: ReadAhead<StoredRecord<"signal">>;
  snapshots: ReadAhead<StoredSnapshot>;
  merges: Merges;
  range: Range;
};

type Range = { gt?: string; lte: string };

/** Reads what the documents of these companies and of all their rounds are made of, but for investors. */
export async function readFamilies(parts: Parts, _taken: Ticket, { after, last }: CompanyRange): Promise<Families> {
  // A range is found at once, where each of many ids is looked for by itself.
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
 * What families are made of. `investors`: those that were read under the same ticket already; the ones that are read now are put to
 * them.
 */
export async function materialOf(
  parts: Parts,
  families: Families,
  investors: Material["investors"],
): Promise<Material> {
  const { merges, range } = families;
  const isTheirs = (companyId: string) =>
    !merges.any ||
    ((range.gt === undefined || byCodePoint(companyId, range.gt) > 0) && byCodePoint(companyId, range.lte) <= 0);
  const theirs = async <T extends "round" | "signal">(type: T, pages: AsyncIterable<StoredRecord<T>[]>) =>
    byCompany(await belonging(parts, merges, type, pages, { range: { company_id: range } }), isTheirs);
  const roundsOfCompany = await theirs("round", families.rounds.pages());
  const rounds = new Map([...roundsOfCompany.values()].flat().map((round) => [round.id, round]));
  const missing = [...investorsOf(rounds.values())].filter((id) => !investors.has(id));
  for (const [id, investor] of await readRecords(parts, merges, "investor", missing)) investors.set(id, investor);
  const stored = await all(families.companies.pages());
  const companies = withMerges("company", stored, await merges.of("company", idsOf(stored)));
  const signalsOfCompany = await theirs("signal", families.signals.pages());
  const snapshotsOfCompany = byDay(await all(families.snapshots.pages()));
  return { companies, investors, rounds, roundsOfCompany, signalsOfCompany, snapshotsOfCompany };
}

function investorsOf(rounds: Iterable<StoredRecord<"round">>): Set<string> {
  const ids = new Set<string>();
  for (const { body } of rounds) for (const { investor_id } of body!.investors) ids.add(investor_id);
  return ids;
}

/** All that is of these companies. */
async function ofCompanies(
  parts: Parts,
  merges: Merges,
  companyIds: string[],
): Promise<Pick<Material, "roundsOfCompany" | "signalsOfCompany" | "snapshotsOfCompany">> {
  const query = { terms: { company_id: companyIds } };
  const wanted = new Set(companyIds);
  if (wanted.size === 0)
    return { roundsOfCompany: new Map(), signalsOfCompany: new Map(), snapshotsOfCompany: new Map() };
  const search = <T>(type: "round" | "signal" | "snapshot"): AsyncIterable<T[]> =>
    searchAll<T>(parts.client, { index: parts.names.record(type), query, sort: ["id"], source: true });
  const read = async <T extends "round" | "signal">(type: T) =>
    byCompany(await belonging(parts, merges, type, search<StoredRecord<T>>(type), query), (id) => wanted.has(id));
  const [roundsOfCompany, signalsOfCompany, snapshots] = await Promise.all([
    read("round"),
    read("signal"),
    all(search<StoredSnapshot>("snapshot")),
  ]);
  return { roundsOfCompany, signalsOfCompany, snapshotsOfCompany: byDay(snapshots) };
}

/**
 * Records with their merges on top: those stored with some companies (`pages`), and those that a merge puts into one of them (`query`).
 * A merge may also have moved a record out of them, so the caller looks at the result's company again.
 */
async function belonging<T extends "round" | "signal">(
  parts: Parts,
  merges: Merges,
  type: T,
  pages: AsyncIterable<StoredRecord<T>[]>,
  query: estypes.QueryDslQueryContainer,
): Promise<StoredRecord<T>[]> {
  const stored = await all(pages);
  if (!merges.any) return stored;
  const named = await merges.recordsWhere(type, query);
  const ids = new Set(idsOf(stored));
  const more = named.filter((id) => !ids.has(id));
  stored.push(...(await storedById<T>(parts, type, more)));
  const ofTheirs = await merges.of(type, [...ids, ...more]);
  const records = [...withMerges(type, stored, ofTheirs).values()];
  return more.length === 0 ? records : records.toSorted((a, b) => byCodePoint(a.id, b.id));
}

async function all<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const found: T[] = [];
  for await (const page of pages) for (const each of page) found.push(each);
  return found;
}

const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

function byCompany<T extends { company_id?: string }>(
  records: readonly T[],
  isTheirs: (companyId: string) => boolean,
): Map<string, T[]> {
  return Map.groupBy(
    records.filter((record) => isTheirs(record.company_id!)),
    (record) => record.company_id!,
  );
}

function byDay(snapshots: readonly StoredSnapshot[]): Material["snapshotsOfCompany"] {
  const found: Material["snapshotsOfCompany"] = new Map();
  for (const [id, history] of Map.groupBy(snapshots, (snapshot) => snapshot.company_id)) {
    found.set(id, oneADay(history));
  }
  return found;
}
