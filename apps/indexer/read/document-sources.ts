import type { StoredSnapshot, StoredRecord } from "@tranche/shared/domain/records/stored";
import { type Merges, openMerges } from "@tranche/shared/engines/search/merges";
import { readRecords } from "@tranche/shared/engines/search/records";
import { collected, searchAll } from "@tranche/shared/engines/search/search-all";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import type { DocumentIds } from "./affected-documents.ts";
import {
  byCompany,
  investorsOf,
  type RecordsParts,
  recordsOfCompanies,
  snapshotsByCompany,
  type Sources,
} from "./sources.ts";

/** Reads the records that the documents are derived from, as they are after the ticket was taken. */
export async function readSources(parts: RecordsParts, _taken: Ticket, ids: DocumentIds): Promise<Sources> {
  const merges = await openMerges(parts);
  const ofCompanies = await readOfCompanies(parts, merges, [...ids.companies]);
  const roundsOfCompanies = [...ofCompanies.roundsOfCompany.values()].flat();
  // Most rounds are those of the companies. A large batch takes longer if they are read twice.
  const rounds = new Map(roundsOfCompanies.map((round) => [round.id, round]));
  const others = [...ids.rounds].filter((id) => !rounds.has(id));
  for (const [id, round] of await readRecords(parts, merges, "round", others)) rounds.set(id, round);
  const companiesOfRounds = [...rounds.values()].map((round) => round.body!.company_id);
  const [companies, investors] = await Promise.all([
    readRecords(parts, merges, "company", new Set([...ids.companies, ...companiesOfRounds])),
    readRecords(parts, merges, "investor", investorsOf(rounds.values())),
  ]);
  return { ...ofCompanies, companies, investors, rounds };
}

/** The rounds, signals and snapshots of companies. */
async function readOfCompanies(
  parts: RecordsParts,
  merges: Merges,
  companyIds: string[],
): Promise<Pick<Sources, "roundsOfCompany" | "signalsOfCompany" | "snapshotsOfCompany">> {
  const query = { terms: { company_id: companyIds } };
  const wanted = new Set(companyIds);
  if (wanted.size === 0)
    return { roundsOfCompany: new Map(), signalsOfCompany: new Map(), snapshotsOfCompany: new Map() };
  const search = <T>(type: "round" | "signal" | "snapshot"): AsyncIterable<T[]> =>
    searchAll<T>(parts.client, { index: parts.names.record(type), query, sort: ["id"], source: true });
  const read = async <T extends "round" | "signal">(type: T) =>
    byCompany(await recordsOfCompanies(parts, merges, type, search<StoredRecord<T>>(type), query), (id) =>
      wanted.has(id),
    );
  const [roundsOfCompany, signalsOfCompany, snapshots] = await Promise.all([
    read("round"),
    read("signal"),
    collected(search<StoredSnapshot>("snapshot")),
  ]);
  return { roundsOfCompany, signalsOfCompany, snapshotsOfCompany: snapshotsByCompany(snapshots) };
}
