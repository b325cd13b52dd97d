import type { Client, estypes } from "@elastic/elasticsearch";
import type { RecordType } from "@tranche/shared/records/record";
import type { StoredRecord, StoredSnapshot } from "@tranche/shared/records/stored";
import type { IndexNames } from "@tranche/shared/search/indices";
import { PartialAnswer, patiently } from "@tranche/shared/search/patiently";
import { searchAll } from "@tranche/shared/search/search-all";
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
    ofCompanies(parts, companyIds.length === 0 ? undefined : { terms: { company_id: companyIds } }),
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

/**
 * Reads what the documents of these companies and of all their rounds are made of. The companies stand next to each other by id:
 * `after` is the id before the first of them, null at the beginning. Take the ticket before you read them. `investors`: those that
 * were read under the same ticket already; the ones that are read now are put to them.
 */
export async function readFamilies(
  parts: Parts,
  { companies, after }: { companies: readonly StoredRecord<"company">[]; after: string | null },
  investors: Material["investors"],
): Promise<Material> {
  // A range is found at once, where each of many ids is looked for by itself.
  const bounds = { ...(after === null ? {} : { gt: after }), lte: companies.at(-1)!.id };
  const ofTheirs = await ofCompanies(parts, { range: { company_id: bounds } });
  const rounds = new Map([...ofTheirs.roundsOfCompany.values()].flat().map((round) => [round.id, round]));
  const missing = [...investorsOf(rounds.values())].filter((id) => !investors.has(id));
  for (const [id, investor] of await byId<"investor">(parts, "investor", missing)) investors.set(id, investor);
  const there = companies.filter((company) => !company.deleted);
  return { ...ofTheirs, companies: new Map(there.map((company) => [company.id, company])), investors, rounds };
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

/** A query for companies by `company_id`. */
type OfCompanies = estypes.QueryDslQueryContainer | undefined;

async function ofCompanies(parts: Parts, query: OfCompanies) {
  const [roundsOfCompany, signalsOfCompany, snapshotsOfCompany] = await Promise.all([
    byCompany<StoredRecord<"round">>(parts, "round", query),
    byCompany<StoredRecord<"signal">>(parts, "signal", query),
    byCompany<StoredSnapshot>(parts, "snapshot", query),
  ]);
  return { roundsOfCompany, signalsOfCompany, snapshotsOfCompany };
}

async function byCompany<T extends { company_id?: string }>(
  parts: Parts,
  type: "round" | "signal" | "snapshot",
  query: OfCompanies,
): Promise<Map<string, T[]>> {
  const found = new Map<string, T[]>();
  if (!query) return found;
  const pages = searchAll<T>(parts.client, { index: parts.names.record(type), query, sort: ["id"], source: true });
  for await (const page of pages) {
    for (const record of page) {
      const list = found.get(record.company_id!);
      if (list) list.push(record);
      else found.set(record.company_id!, [record]);
    }
  }
  return found;
}
