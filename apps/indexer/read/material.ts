import type { Client } from "@elastic/elasticsearch";
import type { RecordType } from "@tranche/shared/records/record";
import type { StoredRecord, StoredSnapshot } from "@tranche/shared/records/stored";
import type { IndexNames } from "@tranche/shared/search/indices";
import { PartialAnswer, patiently } from "@tranche/shared/search/patiently";
import { type ReadAhead, searchAhead, searchAll } from "@tranche/shared/search/search-all";
import type { Touched } from "../touch/touched.ts";

/** All records that a batch of documents is made of; what is deleted or unknown is absent. */
export type Material = {
  companies: Map<string, StoredRecord<"company">>;
  investors: Map<string, StoredRecord<"investor">>;
  rounds: Map<string, StoredRecord<"round">>;
  roundsOfCompany: Map<string, StoredRecord<"round">[]>;
  signalsOfCompany: Map<string, StoredRecord<"signal">[]>;
  snapshotsOfCompany: Map<string, StoredSnapshot[]>;
};

type Parts = { client: Client; names: IndexNames };

/** Reads the records that the touched documents need. Take the ticket before you call it. */
export async function readMaterial(parts: Parts, touched: Touched): Promise<Material> {
  const companyIds = [...touched.companies];
  const [rounds, ofTheirs] = await Promise.all([
    byId<"round">(parts, "round", [...touched.rounds]),
    ofCompanies(parts, companyIds),
  ]);
  const companiesOfRounds = [...rounds.values()].map((round) => round.body!.company_id);
  const [companies, investors] = await Promise.all([
    byId<"company">(parts, "company", new Set([...companyIds, ...companiesOfRounds])),
    byId<"investor">(
      parts,
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
};

/** Reads what the documents of these companies and of all their rounds are made of, but for investors. Take the ticket before. */
export async function readFamilies(parts: Parts, { after, last }: CompanyRange): Promise<Families> {
  // A range is found at once, where each of many ids is looked for by itself.
  const bounds = { ...(after === null ? {} : { gt: after }), lte: last };
  const read = <T>(type: RecordType | "snapshot", field: string) =>
    searchAhead<T>(parts.client, {
      index: parts.names.record(type),
      query: { range: { [field]: bounds } },
      sort: ["id"],
      source: true,
    });
  const [companies, rounds, signals, snapshots] = await Promise.all([
    read<StoredRecord<"company">>("company", "id"),
    read<StoredRecord<"round">>("round", "company_id"),
    read<StoredRecord<"signal">>("signal", "company_id"),
    read<StoredSnapshot>("snapshot", "company_id"),
  ]);
  return { companies, rounds, signals, snapshots };
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
  const roundsOfCompany = await byCompany(families.rounds.pages());
  const rounds = new Map([...roundsOfCompany.values()].flat().map((round) => [round.id, round]));
  const missing = [...investorsOf(rounds.values())].filter((id) => !investors.has(id));
  for (const [id, investor] of await byId<"investor">(parts, "investor", missing)) investors.set(id, investor);
  const companies: Material["companies"] = new Map();
  for await (const page of families.companies.pages()) {
    for (const company of page) if (!company.deleted) companies.set(company.id, company);
  }
  const signalsOfCompany = await byCompany(families.signals.pages());
  const snapshotsOfCompany = await byCompany(families.snapshots.pages());
  return { companies, investors, rounds, roundsOfCompany, signalsOfCompany, snapshotsOfCompany };
}

function investorsOf(rounds: Iterable<StoredRecord<"round">>): Set<string> {
  const ids = new Set<string>();
  for (const { body } of rounds) for (const { investor_id } of body!.investors) ids.add(investor_id);
  return ids;
}

async function byId<T extends RecordType>(
  parts: Parts,
  type: T,
  ids: Iterable<string>,
): Promise<Map<string, StoredRecord<T>>> {
  const wanted = [...ids];
  const found = new Map<string, StoredRecord<T>>();
  if (wanted.length === 0) return found;
  const answer = await patiently(async () => {
    // What was refreshed is all that counts; looking for later writes would make the engine refresh for it.
    const whole = await parts.client.mget<StoredRecord<T>>({
      index: parts.names.record(type),
      ids: wanted,
      realtime: false,
    });
    if (whole.docs.some((document) => "error" in document))
      throw new PartialAnswer(`some ${type} records could not be read`);
    return whole;
  });
  for (const document of answer.docs) {
    if (!("found" in document) || !document.found || !document._source || document._source.deleted) continue;
    found.set(document._source.id, document._source);
  }
  return found;
}

/** All that is of these companies. */
async function ofCompanies(parts: Parts, companyIds: string[]) {
  const read = async <T extends { company_id?: string }>(type: "round" | "signal" | "snapshot") => {
    if (companyIds.length === 0) return new Map<string, T[]>();
    const query = { terms: { company_id: companyIds } };
    return byCompany(
      searchAll<T>(parts.client, { index: parts.names.record(type), query, sort: ["id"], source: true }),
    );
  };
  const [roundsOfCompany, signalsOfCompany, snapshotsOfCompany] = await Promise.all([
    read<StoredRecord<"round">>("round"),
    read<StoredRecord<"signal">>("signal"),
    read<StoredSnapshot>("snapshot"),
  ]);
  return { roundsOfCompany, signalsOfCompany, snapshotsOfCompany };
}

async function byCompany<T extends { company_id?: string }>(pages: AsyncIterable<T[]>): Promise<Map<string, T[]>> {
  const found = new Map<string, T[]>();
  for await (const page of pages) {
    for (const record of page) {
      const list = found.get(record.company_id!);
      if (list) list.push(record);
      else found.set(record.company_id!, [record]);
    }
  }
  return found;
}
