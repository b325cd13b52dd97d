import { isFeedField } from "@tranche/read-models/indices/mappings";
import { isDeepStrictEqual } from "node:util";
import { companyDocument } from "../../apps/indexer/derive/company.ts";
import { fundingDocument } from "../../apps/indexer/derive/funding.ts";
import { investorDocument } from "../../apps/indexer/derive/investor.ts";
import type { InvestorFigures } from "../../apps/indexer/read/investor-figures.ts";
import type { Sources } from "../../apps/indexer/read/sources.ts";
import { daysOf } from "@tranche/shared/domain/records/snapshots";
import { mergeItem, recordItem, snapshotItems } from "../../apps/indexer/write/documents.ts";
import type { Client } from "@elastic/elasticsearch";
import type { FundingDocument } from "@tranche/read-models/documents/funding";
import type { RoundsOf } from "@tranche/read-models/documents/investors";
import type { RecordType, RecordWrite } from "@tranche/shared/domain/records/record";
import type { StoredMerge, StoredRecord, StoredSnapshot } from "@tranche/shared/domain/records/stored";
import { type IndexNames, indexNames, READ_MODELS, type ReadModel } from "@tranche/shared/engines/search/index-names";
import { withMerges } from "@tranche/shared/engines/search/records";
import { searchAll } from "@tranche/shared/engines/search/search-all";
import { dayOfTime } from "@tranche/shared/domain/time/day";

export type Documents = Record<ReadModel, Map<string, object>>;

/**
 * The documents that writes have to give, in whatever order they came and however often: the newest version of each record, and
 * the indexer's own pure derivation, with none of its stores, tickets and queues.
 */
export function expectedDocuments(writes: Iterable<RecordWrite>, now: number): Documents {
  const names = indexNames("expected");
  const records = { company: new Map(), investor: new Map(), round: new Map(), signal: new Map() };
  const snapshots = new Map<string, StoredSnapshot>();
  const keepNewest = <T extends { version: number }>(kept: Map<string, T>, id: string, next: T) => {
    const last = kept.get(id);
    if (!last || last.version <= next.version) kept.set(id, next);
  };
  const merges = new Map<string, StoredMerge>();
  for (const write of writes) {
    const merge = mergeItem(names, write);
    if (merge) keepNewest(merges, merge.id, merge.document as StoredMerge);
    keepNewest<StoredRecord>(records[write.type], write.id, recordItem(names, write).document as StoredRecord);
    for (const { id, document } of snapshotItems(names, write)) keepNewest(snapshots, id, document as StoredSnapshot);
  }
  const known = <T extends RecordType>(type: T): Map<string, StoredRecord<T>> =>
    withMerges(
      type,
      records[type].values() as Iterable<StoredRecord<T>>,
      Map.groupBy(
        [...merges.values()].filter((merge) => merge.type === type),
        (merge) => merge.record_id,
      ),
    );
  const byCompany = <T extends { company_id?: string }>(all: Iterable<T>): Map<string, T[]> =>
    Map.groupBy(all, (each) => each.company_id!);
  const inOrder = <T extends { id: string }>(all: Iterable<T>) => [...all].toSorted((a, b) => (a.id < b.id ? -1 : 1));

  const sources: Sources = {
    companies: known("company"),
    investors: known("investor"),
    rounds: known("round"),
    roundsOfCompany: byCompany(inOrder(known("round").values())),
    signalsOfCompany: byCompany(inOrder(known("signal").values())),
    snapshotsOfCompany: new Map([...byCompany(inOrder(snapshots.values()))].map(([id, all]) => [id, daysOf(all)])),
  };
  const today = dayOfTime(now);
  const all = (ids: Iterable<string>, document: (id: string) => object | undefined) =>
    new Map(
      [...ids].flatMap((id) => {
        const derived = document(id);
        return derived ? [[id, JSON.parse(JSON.stringify(derived)) as object] as const] : [];
      }),
    );
  const funding = all(records.round.keys(), (id) => fundingDocument(id, sources));
  const roundsOfInvestor = byInvestor([...funding.values()] as FundingDocument[]);
  return {
    funding,
    companies: all(records.company.keys(), (id) => companyDocument(id, sources, today)),
    investors: all(records.investor.keys(), (id) => {
      const record = sources.investors.get(id);
      return record && investorDocument(record, figuresOf(id, roundsOfInvestor.get(id) ?? []));
    }),
  };
}

/** The rounds of each investor. A drill has tens of thousands of both. */
function byInvestor(documents: readonly FundingDocument[]): Map<string, FundingDocument[]> {
  const found = new Map<string, FundingDocument[]>();
  for (const document of documents) {
    for (const id of new Set(document.investor_ids)) {
      const its = found.get(id);
      if (its) its.push(document);
      else found.set(id, [document]);
    }
  }
  return found;
}

/** What the rounds of an investor come to, counted one by one. */
function figuresOf(id: string, its: readonly FundingDocument[]): InvestorFigures {
  const counts = (valueOf: (document: FundingDocument) => string | null): RoundsOf[] => {
    const groups = Map.groupBy(its, valueOf);
    groups.delete(null);
    return [...groups].map(([key, group]) => ({ key: key!, count: group.length }));
  };
  return {
    rounds: its.length,
    leads: its.filter(({ lead_investor_ids }) => lead_investor_ids.includes(id)).length,
    companies: new Set(its.map(({ company_id }) => company_id)).size,
    days: [...new Set(its.map(({ announced_date }) => announced_date))],
    categories: counts(({ category_key }) => category_key),
    countries: counts(({ country }) => country),
    dealTypes: counts(({ deal_type }) => deal_type),
  };
}

/** When a document changed says how it was written, not what its records say. */
const withoutTickets = (document: object): object =>
  Object.fromEntries(Object.entries(document).filter(([field]) => !isFeedField(field)));

/** Every document that readers can find now, by its id, without the tickets of its changes. */
export async function searchableDocuments(client: Client, names: IndexNames): Promise<Documents> {
  const ids = { funding: "id", companies: "company_id", investors: "investor_id" } as const;
  const found = await Promise.all(
    READ_MODELS.map(async (model) => {
      const documents = new Map<string, object>();
      const pages = searchAll<Record<string, string>>(client, {
        index: names.role(model, "live"),
        query: { bool: { must_not: { term: { gone: true } } } },
        sort: [ids[model]],
        source: true,
      });
      for await (const page of pages) {
        for (const document of page) documents.set(document[ids[model]]!, withoutTickets(document));
      }
      return [model, documents] as const;
    }),
  );
  return Object.fromEntries(found) as Documents;
}

export type Comparison = { compared: number; missing: string[]; extra: string[]; stale: string[] };

/** What differs between the documents that there should be and those that there are. */
export function compareDocuments(expected: Documents, found: Documents): Comparison {
  const comparison: Comparison = { compared: 0, missing: [], extra: [], stale: [] };
  for (const model of READ_MODELS) {
    for (const [id, document] of expected[model]) {
      comparison.compared++;
      const there = found[model].get(id);
      if (!there) comparison.missing.push(`${model} ${id}`);
      else if (!isDeepStrictEqual(there, document)) comparison.stale.push(`${model} ${id}`);
    }
    for (const id of found[model].keys()) if (!expected[model].has(id)) comparison.extra.push(`${model} ${id}`);
  }
  return comparison;
}
