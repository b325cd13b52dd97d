import type { Client } from "@elastic/elasticsearch";
import type { RecordWrite } from "@tranche/shared/records/record";
import type { StoredEdge, StoredRecord } from "@tranche/shared/records/stored";
import type { IndexNames } from "@tranche/shared/search/index-names";
import { openMerges } from "@tranche/shared/search/merges";
import { searchAll } from "@tranche/shared/search/search-all";
import { chunks } from "@tranche/shared/search/chunks";

/**
 * Ids of documents: rounds in the funding read model, companies in the signals read model, investors in the investors read model. Those
 * of investors are derived in a second stage. The investors of the rounds belong to it and need not be named here.
 */
export type DocumentIds = { rounds: Set<string>; companies: Set<string>; investors: Set<string> };

/** Larger sets are passed on in parts, so that the memory and time of a batch stay bounded. */
const MAX_DOCUMENTS = 5000;

/**
 * Finds every document that writes can change, after they are stored and refreshed:
 * - a round affects its own document and each company it belongs or belonged to;
 * - a company affects its own document and those of its rounds;
 * - an investor affects its own document, its rounds and their companies;
 * - a signal affects its company.
 * `passOn` gets the ids that are too many for one batch. They must be safe (enqueued) when it returns.
 */
export async function affectedDocuments(
  parts: { client: Client; names: IndexNames; passOn: (affected: DocumentIds) => Promise<void> },
  writes: readonly RecordWrite[],
): Promise<DocumentIds> {
  const { client, names } = parts;
  let affected: DocumentIds = { rounds: new Set(), companies: new Set(), investors: new Set() };
  const passOnIfFull = async () => {
    if (affected.rounds.size + affected.companies.size < MAX_DOCUMENTS) return;
    const full = affected;
    affected = { rounds: new Set(), companies: new Set(), investors: new Set() };
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
  for (const id of investors) affected.investors.add(id);
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
      // A merge may have moved a round to another company than the stored one.
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
