import type { Client } from "@elastic/elasticsearch";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import type { StoredRecord } from "@tranche/shared/domain/records/stored";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { type Merges, openMerges } from "@tranche/shared/engines/search/merges";
import { searchAll, searchKeys, searchSorted } from "@tranche/shared/engines/search/search-all";
import { chunks } from "@tranche/shared/engines/search/chunks";

/**
 * Ids of documents: rounds in the funding read model, companies in the companies read model, investors in the investors read model. Those
 * of investors are derived in a second stage. The investors of the rounds belong to it and need not be named here.
 */
export type DocumentIds = { rounds: Set<string>; companies: Set<string>; investors: Set<string> };

/** Larger sets are passed on in parts, so that the memory and time of a batch stay bounded. */
const MAX_DOCUMENTS = 5000;
/** Beside the documents of the written records, however many they are. */
const LEAST_ROOM = 1000;
/** Documents that investors affect beyond this number are derived behind live traffic. */
const MAX_OF_INVESTORS = 1000;

type Parts = {
  client: Client;
  names: IndexNames;
  passOn: (affected: DocumentIds) => Promise<void>;
  passToFanout: (affected: DocumentIds) => Promise<void>;
};

/**
 * Finds every document that writes can change, after they are stored and refreshed:
 * - a round affects its own document and each company it belongs or belonged to;
 * - a company affects its own document and those of its rounds;
 * - an investor affects its own document, its rounds and their companies;
 * - a signal affects its company.
 * `passOn` gets the ids that are too many for one batch, and `passToFanout` those that investors affect in great number. They must be
 * safe (enqueued or pending) when these return. The documents of the written records themselves are always returned, because
 * they have to be visible when the batch is done.
 */
export async function affectedDocuments(parts: Parts, writes: readonly RecordWrite[]): Promise<DocumentIds> {
  const idsOfType = (type: RecordWrite["type"]) => [
    ...new Set(writes.filter((write) => write.type === type).map((write) => write.id)),
  ];
  const rounds = idsOfType("round");
  const companies = idsOfType("company");
  const investors = idsOfType("investor");
  const room = Math.max(LEAST_ROOM, MAX_DOCUMENTS - rounds.length - companies.length);
  const own = { rounds: new Set(rounds), companies: new Set(companies) };
  const affected = createAccumulator(own, (size) => size >= room, parts.passOn);

  await addCompaniesOf(parts, "round", rounds, affected);
  await addCompaniesOf(parts, "signal", idsOfType("signal"), affected);
  if (companies.length + investors.length > 0) {
    const merges = await openMerges(parts);
    if (companies.length > 0) await addRoundsOfCompanies(parts, merges, companies, affected);
    if (investors.length > 0) await addDocumentsOfInvestors(parts, merges, investors, own, affected);
  }
  return {
    rounds: new Set([...affected.ids().rounds, ...own.rounds]),
    companies: new Set([...affected.ids().companies, ...own.companies]),
    investors: new Set(investors),
  };
}

/** Rounds and companies of a batch's own records. */
type OwnDocuments = Pick<DocumentIds, "rounds" | "companies">;

/** The affected documents found so far, and not passed on, beside those of the written records. */
type Accumulator = {
  add(found: { rounds?: readonly string[]; companies?: readonly string[] }): void;
  /** Passes all on if they are too many, and starts over. */
  passOnIfTooMany(): Promise<void>;
  ids(): DocumentIds;
};

function createAccumulator(
  own: OwnDocuments,
  isTooMany: (size: number) => boolean,
  passOn: (affected: DocumentIds) => Promise<void>,
): Accumulator {
  const none = (): DocumentIds => ({ rounds: new Set(), companies: new Set(), investors: new Set() });
  let ids = none();
  return {
    add({ rounds = [], companies = [] }) {
      // Passed on, documents of the batch would be derived twice.
      for (const id of rounds) if (!own.rounds.has(id)) ids.rounds.add(id);
      for (const id of companies) if (!own.companies.has(id)) ids.companies.add(id);
    },
    async passOnIfTooMany() {
      if (!isTooMany(ids.rounds.size + ids.companies.size)) return;
      const full = ids;
      ids = none();
      await passOn(full);
    },
    ids: () => ids,
  };
}

/** Adds the companies that rounds or signals belong to or belonged to. */
async function addCompaniesOf(
  { client, names }: Parts,
  type: "round" | "signal",
  records: readonly string[],
  affected: Accumulator,
): Promise<void> {
  for (const some of chunks(records, MAX_DOCUMENTS)) {
    const edges = searchSorted(client, {
      index: names.edges,
      query: { bool: { filter: [{ term: { type } }, { terms: { record_id: some } }] } },
      sort: ["record_id", "company_id"],
    });
    for await (const page of edges) {
      affected.add({ companies: page.map(([, companyId]) => companyId!) });
      await affected.passOnIfTooMany();
    }
  }
}

async function addRoundsOfCompanies(
  { client, names }: Parts,
  merges: Merges,
  companies: string[],
  affected: Accumulator,
): Promise<void> {
  const query = { terms: { company_id: companies } };
  affected.add({ rounds: await merges.recordsWhere("round", query) });
  for await (const rounds of searchKeys(client, { index: names.record("round"), query, field: "id" })) {
    affected.add({ rounds });
    await affected.passOnIfTooMany();
  }
}

/** Adds the rounds of investors and their companies. Once they are too many, `passToFanout` gets all of them. */
async function addDocumentsOfInvestors(
  parts: Parts,
  merges: Merges,
  investors: string[],
  own: OwnDocuments,
  affected: Accumulator,
): Promise<void> {
  let isMany = false;
  const ofThem = createAccumulator(own, (size) => (isMany ||= size > MAX_OF_INVESTORS), parts.passToFanout);
  const withThem = { terms: { investor_ids: investors } };
  const merged = await merges.recordsWhere("round", withThem);
  ofThem.add({ rounds: merged });
  await addCompaniesOf(parts, "round", merged, ofThem);
  const stored = searchAll<Pick<StoredRecord<"round">, "id" | "company_id">>(parts.client, {
    index: parts.names.record("round"),
    query: withThem,
    sort: ["id"],
    source: ["id", "company_id"],
  });
  for await (const page of stored) {
    ofThem.add({ rounds: idsOf(page), companies: page.map((round) => round.company_id!) });
    await ofThem.passOnIfTooMany();
    // A merge may have moved a round to another company than the stored one.
    const moved = await merges.of("round", idsOf(page));
    await addCompaniesOf(parts, "round", [...moved.keys()], ofThem);
  }
  affected.add({ rounds: [...ofThem.ids().rounds], companies: [...ofThem.ids().companies] });
}

const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);
