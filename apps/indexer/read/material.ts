import type { Client } from "@elastic/elasticsearch";
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

/**
 * Reads the records that the touched documents need. Take the ticket before you call it. `investors`: those that were read under
 * the same ticket already; the ones that are read now are put to them.
 */
export async function readMaterial(
  parts: { client: Client; names: IndexNames },
  touched: Touched,
  investors: Material["investors"] = new Map(),
): Promise<Material> {
  const companyIds = [...touched.companies];
  const [rounds, roundsOfCompany, signalsOfCompany, snapshotsOfCompany] = await Promise.all([
    byId<"round">(parts, "round", [...touched.rounds]),
    ofCompanies<StoredRecord<"round">>(parts, "round", companyIds),
    ofCompanies<StoredRecord<"signal">>(parts, "signal", companyIds),
    ofCompanies<StoredSnapshot>(parts, "snapshot", companyIds),
  ]);
  const allRounds = [...rounds.values(), ...[...roundsOfCompany.values()].flat()];
  const investorIds = allRounds.flatMap((round) => round.body!.investors.map((investor) => investor.investor_id));
  const [companies, read] = await Promise.all([
    byId<"company">(
      parts,
      "company",
      new Set([...companyIds, ...[...rounds.values()].map((round) => round.body!.company_id)]),
    ),
    byId<"investor">(parts, "investor", new Set(investorIds.filter((id) => !investors.has(id)))),
  ]);
  for (const [id, investor] of read) investors.set(id, investor);
  return { companies, investors, rounds, roundsOfCompany, signalsOfCompany, snapshotsOfCompany };
}

type Parts = { client: Client; names: IndexNames };

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

async function ofCompanies<T extends { id: string; company_id?: string; deleted?: true }>(
  parts: Parts,
  type: "round" | "signal" | "snapshot",
  companies: string[],
): Promise<Map<string, T[]>> {
  const found = new Map<string, T[]>();
  if (companies.length === 0) return found;
  const pages = searchAll<T>(parts.client, {
    index: parts.names.record(type),
    query: { terms: { company_id: companies } },
    sort: ["id"],
    source: true,
  });
  for await (const page of pages) {
    for (const record of page) {
      const list = found.get(record.company_id!);
      if (list) list.push(record);
      else found.set(record.company_id!, [record]);
    }
  }
  return found;
}
