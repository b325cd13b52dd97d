import type { Client } from "@elastic/elasticsearch";
import type { RecordWrite } from "@tranche/shared/records/record";
import type { StoredEdge, StoredRecord } from "@tranche/shared/records/stored";
import type { IndexNames } from "@tranche/shared/search/index-names";
import { openMerges } from "@tranche/shared/search/merges";
import { searchAll } from "@tranche/shared/search/search-all";
import { chunks } from "@tranche/shared/search/chunks";

/** Documents by what they are made for: rounds of the funding read model, companies of the signals one. */
export type DocumentIds = { rounds: Set<string>; companies: Set<string> };

/** More than this is passed on in parts, so that memory and the time of one batch stay bounded. */
const MAX_DOCUMENTS = 5000;

/**
 * Finds every document that writes can change, after they are stored and refreshed:
 * of a round its own and each company it is or was in; of a company its own and its rounds; of an investor the rounds it is in
 * and their companies; of a signal its company. `passOn` gets what is too much for one batch; it has to be safe (enqueued)
 * when it returns.
 */
export async function affectedDocuments(
  parts: { client: Client; names: IndexNames; passOn: (affected: DocumentIds) => Promise<void> },
  writes: readonly RecordWrite[],
): Promise<DocumentIds> {
  const { client, names } = parts;
  let affected: DocumentIds = { rounds: new Set(), companies: new Set() };
  const passOnIfFull = async () => {
    if (affected.rounds.size + affected.companies.size < MAX_DOCUMENTS) return;
    const full = affected;
    affected = { rounds: new Set(), companies: new Set() };
    await parts.passOn(full);
  };

  const ids = (type: RecordWrite["type"]) => [
    ...new Set(writes.filter((write) => write.type === type).map((write) => write.id)),
  ];
  const rounds = ids("round");
  const companies = ids("company");
  const investors = ids("investor");

  const addCompaniesOf = async (type: "round" | "signal", records: readonly string[]) => {
    for (const some of chunks(records, MAX_DOCUMENTS)) {
      const edges = searchAll<StoredEdge>(client, {
        index: names.edges,
        query: { bool: { filter: [{ term: { type } }, { terms: { record_id: some } }] } },
        sort: ["record_id", "company_id"],
        source: ["company_id"],
      });
      for await (const page of edges) {
        for (const edge of page) affected.companies.add(edge.company_id);
        await passOnIfFull();
      }
    }
  };

  for (const id of rounds) affected.rounds.add(id);
  for (const id of companies) affected.companies.add(id);
  await addCompaniesOf("round", rounds);
  await addCompaniesOf("signal", ids("signal"));
  if (companies.length + investors.length === 0) return affected;

  const merges = await openMerges(parts);
  if (companies.length > 0) {
    const ofThem = { terms: { company_id: companies } };
    for (const id of await merges.recordsWhere("round", ofThem)) affected.rounds.add(id);
    for await (const page of roundsOf(parts, ofThem)) {
      for (const round of page) affected.rounds.add(round.id);
      await passOnIfFull();
    }
  }
  if (investors.length > 0) {
    const withThem = { terms: { investor_ids: investors } };
    const merged = await merges.recordsWhere("round", withThem);
    for (const id of merged) affected.rounds.add(id);
    await addCompaniesOf("round", merged);
    for await (const page of roundsOf(parts, withThem)) {
      for (const round of page) {
        affected.rounds.add(round.id);
        affected.companies.add(round.company_id!);
      }
      await passOnIfFull();
      // A merge may have put a round into another company than the one that is stored in it.
      const moved = await merges.of("round", idsOf(page));
      await addCompaniesOf("round", [...moved.keys()]);
    }
  }
  return affected;
}

const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

function roundsOf(parts: { client: Client; names: IndexNames }, query: { terms: Record<string, string[]> }) {
  return searchAll<Pick<StoredRecord<"round">, "id" | "company_id">>(parts.client, {
    index: parts.names.record("round"),
    query,
    sort: ["id"],
    source: ["id", "company_id"],
    pageSize: MAX_DOCUMENTS,
  });
}
