import type { Client } from "@elastic/elasticsearch";
import { REGISTRY } from "@tranche/read-models/documents/registry";
import type { FundingDocument } from "@tranche/read-models/documents/funding";
import type { InvestorDocument } from "@tranche/read-models/documents/investors";
import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import type { RecordBodies, RecordType, RecordWrite } from "@tranche/shared/domain/records/record";
import type { StoredRecord, StoredSnapshot } from "@tranche/shared/domain/records/stored";
import type { BulkItem } from "@tranche/shared/engines/search/bulk-part";
import { chunks } from "@tranche/shared/engines/search/chunks";
import type { FirstStage, IndexNames } from "@tranche/shared/engines/search/index-names";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import { dayOf } from "@tranche/shared/domain/time/day";
import { companyDocument } from "../../../apps/indexer/derive/company.ts";
import { fundingDocument } from "../../../apps/indexer/derive/funding.ts";
import { investorDocument, NO_ROUNDS } from "../../../apps/indexer/derive/investor.ts";
import { digestsOf } from "../../../apps/indexer/pipeline/digests.ts";
import { changeTickets } from "../../../apps/indexer/pipeline/stamp.ts";
import { readFigures } from "../../../apps/indexer/read/investor-figures.ts";
import type { Sources } from "../../../apps/indexer/read/sources.ts";
import { edgeItem, recordItem, snapshotItems, stakeItem } from "../../../apps/indexer/write/documents.ts";
import { type Family, NOW, type World } from "./world.ts";

/** When all records were written, says each of them. */
const WRITTEN_AT = "2025-06-15T08:00:00.000Z";

/** Record writes as a producer puts them into the queue. `version`: the same for all. */
export function writesOf({ company, rounds, signals }: Family, version: number): RecordWrite[] {
  return [
    writeOf("company", company, version),
    ...rounds.map((round) => writeOf("round", round, version)),
    ...signals.map((signal) => writeOf("signal", signal, version)),
  ];
}

/** Writes that delete a family again. */
export const removalsOf = (family: Family, version: number): RecordWrite[] =>
  writesOf(family, version).map(({ type, id, updated_at }) => ({ type, id, version, updated_at, body: null }));

export function investorWrites(world: World, version: number): RecordWrite[] {
  return world.investors.map((investor) => writeOf("investor", investor, version));
}

/** A record write as a producer puts it into the queue. */
export function writeOf<T extends RecordType>(type: T, body: RecordBodies[T], version: number): RecordWrite {
  return { type, id: body.id, version, updated_at: WRITTEN_AT, body } as RecordWrite;
}

/** The documents that the indexer stores for writes: the records, with their edges, stakes and snapshots. */
export function storedItems(names: IndexNames, writes: readonly RecordWrite[]): BulkItem[] {
  return writes.flatMap((write) => [
    recordItem(names, write),
    ...[edgeItem, stakeItem, snapshotItems].flatMap((itemsOf) => itemsOf(names, write) ?? []),
  ]);
}

export type Documents = { funding: FundingDocument[]; companies: CompanyDocument[] };

/** Makes the documents of families, by the indexer's own functions. */
export function createDerivation(
  world: World,
  names: IndexNames,
  version: number,
): (families: readonly Family[]) => Documents {
  const today = dayOf(NOW);
  const stored = <T extends RecordType>(write: RecordWrite) => recordItem(names, write).document as StoredRecord<T>;
  const byId = <T extends { id: string }>(records: readonly T[]) =>
    new Map(records.map((record) => [record.id, record]));
  const investors = byId(investorWrites(world, version).map((write) => stored<"investor">(write)));

  return (families) => {
    const grouped = families.map((family) => {
      const writes = writesOf(family, version);
      const ofType = <T extends RecordType>(type: T) =>
        writes.filter((write) => write.type === type).map((write) => stored<T>(write));
      const snapshots = writes.flatMap((write) =>
        snapshotItems(names, write).map((item) => item.document),
      ) as StoredSnapshot[];
      return {
        id: family.company.id,
        companies: ofType("company"),
        rounds: ofType("round"),
        signals: ofType("signal"),
        snapshots,
      };
    });
    const sources: Sources = {
      companies: byId(grouped.flatMap((group) => group.companies)),
      investors,
      rounds: byId(grouped.flatMap((group) => group.rounds)),
      roundsOfCompany: new Map(grouped.map((group) => [group.id, group.rounds])),
      signalsOfCompany: new Map(grouped.map((group) => [group.id, group.signals])),
      snapshotsOfCompany: new Map(grouped.map((group) => [group.id, group.snapshots])),
    };
    return {
      funding: [...sources.rounds.keys()].map((id) => fundingDocument(id, sources)!),
      companies: [...sources.companies.keys()].map((id) => companyDocument(id, sources, today)!),
    };
  };
}

/** A document as its first write leaves it in the live index, with the tickets and digests that a rebuild compares. */
export function listedItem(
  names: IndexNames,
  model: FirstStage,
  ticket: Ticket,
  document: FundingDocument | CompanyDocument,
): BulkItem {
  const id = (document as Record<string, unknown>)[REGISTRY[model].idField] as string;
  const tickets = changeTickets(ticket, digestsOf(model, document), undefined, true);
  const version = { number: ticket, type: "external" } as const;
  return { index: names.role(model, "live"), id, document: { ...document, ...tickets }, version };
}

/** Investors in one search for their figures. */
const INVESTORS_AT_ONCE = 500;

/** The documents of all investors, from what the loaded funding index has. */
export async function* investorDocuments(
  world: World,
  { client, names }: { client: Client; names: IndexNames },
  version: number,
): AsyncGenerator<InvestorDocument[]> {
  const index = names.role("funding", "live");
  for (const writes of chunks(investorWrites(world, version), INVESTORS_AT_ONCE)) {
    const records = writes.map((write) => recordItem(names, write).document as StoredRecord<"investor">);
    // Nobody else writes: any ticket will do.
    const figures = await readFigures(
      { client },
      0 as Ticket,
      index,
      records.map(({ id }) => id),
    );
    yield records.map((record) => investorDocument(record, figures.get(record.id) ?? NO_ROUNDS));
  }
}
