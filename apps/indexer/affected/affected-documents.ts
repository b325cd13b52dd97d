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
/** Beside the documents of the written records, however many they are. */
const LEAST_ROOM = 1000;
/** Documents that investors affect beyond this number are derived behind live traffic. */
const MAX_OF_INVESTORS = 1000;

/**
 * Finds every document that writes can change, after they are stored and refreshed:
 * - a round affects its own document and each company it belongs or belonged to;
 * - a company affects its own document and those of its rounds;
 * - an investor affects its own document, its rounds and their companies;
 * - a signal affects its company.
 * `passOn` gets the ids that are too many for one batch, and `passToFanout` those that investors affect in great number. They must be
 * safe (enqueued or noted) when these return. The documents of the written records themselves are always returned, because
 * they have to be visible when the batch is done.
 */
export async function affectedDocuments(
  parts: {
    client: Client;
    names: IndexNames;
    passOn: (affected: DocumentIds) => Promise<void>;
    passToFanout: (affected: DocumentIds) => Promise<void>;
  },
  writes: readonly RecordWrite[],
): Promise<DocumentIds> {
  const { client, names } = parts;
  const none = (): DocumentIds => ({ rounds: new Set(), companies: new Set(), investors: new Set() });
  const sizeOf = ({ rounds, companies }: DocumentIds) => rounds.size + companies.size;

  const ids = (type: RecordWrite["type"]) => [
    ...new Set(writes.filter((write) => write.type === type).map((write) => write.id)),
  ];
  const rounds = ids("round");
  const companies = ids("company");
  const investors = ids("investor");
  let affected = none();
  const room = Math.max(LEAST_ROOM, MAX_DOCUMENTS - rounds.length - companies.length);
  const passOnIfFull = async () => {
    if (sizeOf(affected) < room) return;
    const full = affected;
    affected = none();
    await parts.passOn(full);
  };
  const withOwn = (): DocumentIds => ({
    rounds: new Set([...affected.rounds, ...rounds]),
    companies: new Set([...affected.companies, ...companies]),
    investors: new Set(investors),
  });

  const companiesOf = async (
    type: "round" | "signal",
    records: readonly string[],
    add: (companyIds: string[]) => Promise<void>,
  ) => {
    for (const some of chunks(records, MAX_DOCUMENTS)) {
      const edges = searchAll<StoredEdge>(client, {
        index: names.edges,
        query: { bool: { filter: [{ term: { type } }, { terms: { record_id: some } }] } },
        sort: ["record_id", "company_id"],
        source: ["company_id"],
      });
      for await (const page of edges) await add(page.map((edge) => edge.company_id));
    }
  };
  const addCompanies = async (some: readonly string[]) => {
    for (const id of some) affected.companies.add(id);
    await passOnIfFull();
  };

  await companiesOf("round", rounds, addCompanies);
  await companiesOf("signal", ids("signal"), addCompanies);
  if (companies.length + investors.length === 0) return withOwn();

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
    let ofThem = none();
    let isMany = false;
    const passIfMany = async () => {
      if (!isMany && sizeOf(ofThem) <= MAX_OF_INVESTORS) return;
      isMany = true;
      const many = ofThem;
      ofThem = none();
      await parts.passToFanout(many);
    };
    const addOfThem = async (some: readonly string[]) => {
      for (const id of some) ofThem.companies.add(id);
      await passIfMany();
    };
    const withThem = { terms: { investor_ids: investors } };
    const merged = await merges.recordsWhere("round", withThem);
    for (const id of merged) ofThem.rounds.add(id);
    await companiesOf("round", merged, addOfThem);
    for await (const page of roundsOf(parts, withThem)) {
      for (const round of page) {
        ofThem.rounds.add(round.id);
        ofThem.companies.add(round.company_id!);
      }
      await passIfMany();
      // A merge may have moved a round to another company than the stored one.
      const moved = await merges.of("round", idsOf(page));
      await companiesOf("round", [...moved.keys()], addOfThem);
    }
    for (const id of ofThem.rounds) affected.rounds.add(id);
    for (const id of ofThem.companies) affected.companies.add(id);
  }
  return withOwn();
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
