import { overlaid } from "@tranche/shared/domain/records/overlay";
import type { CompanyRecord, RecordType, RoundRecord, SignalRecord } from "@tranche/shared/domain/records/record";
import { daysOf } from "@tranche/shared/domain/records/snapshots";
import type {
  StoredEdge,
  StoredMerge,
  StoredRecord,
  StoredSnapshot,
  StoredStake,
} from "@tranche/shared/domain/records/stored";
import { openMerges } from "@tranche/shared/engines/search/merges";
import { storedById } from "@tranche/shared/engines/search/records";
import { collected, searchAll } from "@tranche/shared/engines/search/search-all";
import { retryForever, wholeAnswer } from "@tranche/shared/engines/search/retry-forever";
import type { estypes } from "@elastic/elasticsearch";
import type { Installation } from "../installation/installation.ts";
import type { Facts, RecordState } from "./facts.ts";

/** Rounds and signals of a company, or rounds of an investor, that are read. */
const MAX_SOURCES = 200;

type Parts = Pick<Installation, "client" | "names">;
type ExplainedSources = Pick<Facts, "records" | "edges" | "stakes" | "snapshots" | "truncated">;

/** Reads the records that the documents of a record are derived from, deleted and unknown ones too, and what leads to them. */
export async function readExplainedSources(parts: Parts, type: RecordType, id: string): Promise<ExplainedSources> {
  if (type === "company") return sourcesOfCompany(parts, id);
  if (type === "investor") return sourcesOfInvestor(parts, id);
  const [own] = await recordStates(parts, type, [id]);
  const edges = await find<StoredEdge>(parts, parts.names.edges, [{ term: { type } }, { term: { record_id: id } }]);
  const companies = unique([...edges.found.map(({ company_id }) => company_id), own!.company_id]);
  const stakes =
    type === "round" ? await find<StoredStake>(parts, parts.names.stakes, [{ term: { round_id: id } }]) : NONE;
  const records = [
    own!,
    ...(await recordStates(parts, "company", companies)),
    ...(await recordStates(parts, "investor", own!.investor_ids ?? [])),
  ];
  return shown({ records, edges, stakes, snapshots: 0 });
}

async function sourcesOfCompany(parts: Parts, id: string): Promise<ExplainedSources> {
  const [own, edges, snapshots] = await Promise.all([
    recordStates(parts, "company", [id]),
    find<StoredEdge>(parts, parts.names.edges, [{ term: { company_id: id } }]),
    snapshotsOf(parts, id),
  ]);
  const idsOf = (type: StoredEdge["type"]) =>
    unique(edges.found.filter((edge) => edge.type === type).map(({ record_id }) => record_id));
  const rounds = await recordStates(parts, "round", idsOf("round"));
  const signals = await recordStates(parts, "signal", idsOf("signal"));
  const investors = unique(
    rounds.filter(({ company_id }) => company_id === id).flatMap((round) => round.investor_ids ?? []),
  );
  const records = [
    ...own,
    ...rounds,
    ...signals,
    ...(await recordStates(parts, "investor", investors.slice(0, MAX_SOURCES))),
  ];
  return shown({ records, edges, stakes: NONE, snapshots: daysOf(snapshots).length });
}

function snapshotsOf({ client, names }: Parts, company: string): Promise<StoredSnapshot[]> {
  const [index, query] = [names.record("snapshot"), { term: { company_id: company } }];
  return collected(searchAll<StoredSnapshot>(client, { index, query, sort: ["id"], source: true }));
}

/** The rounds that name an investor now. Those that no longer do can't be searched: stakes are found by their round. */
async function sourcesOfInvestor(parts: Parts, id: string): Promise<ExplainedSources> {
  const named = { term: { investor_ids: id } };
  const merges = await openMerges(parts);
  const [rounds, merged] = await Promise.all([
    find<{ id: string }>(parts, parts.names.record("round"), [named]),
    merges.recordsWhere("round", named),
  ]);
  const ids = unique([...rounds.found.map((round) => round.id), ...merged.slice(0, MAX_SOURCES)]);
  const records = [
    ...(await recordStates(parts, "investor", [id])),
    ...(await recordStates(parts, "round", ids)).filter(({ investor_ids }) => investor_ids?.includes(id)),
  ];
  return {
    ...shown({ records, edges: NONE, stakes: NONE, snapshots: 0 }),
    truncated: rounds.total > rounds.found.length,
  };
}

/** The records of these ids as they are, with what their merges make of them. */
async function recordStates<T extends RecordType>(
  parts: Parts,
  type: T,
  ids: readonly string[],
): Promise<RecordState[]> {
  if (ids.length === 0) return [];
  const merges = await openMerges(parts);
  const [stored, ofThem] = await Promise.all([storedById<T>(parts, type, ids), merges.of(type, ids)]);
  const byId = new Map(stored.map((record) => [record.id, record]));
  return ids.map((id) => stateOf(type, id, byId.get(id), ofThem.get(id) ?? []));
}

/** Pure: the state of a record, from its document and its merges. */
export function stateOf<T extends RecordType>(
  type: T,
  id: string,
  stored: StoredRecord<T> | undefined,
  merges: readonly StoredMerge[],
): RecordState {
  const is = overlaid(type, stored, merges);
  const shownMerges = merges.map(({ version, fields, from }) => ({
    version,
    fields: Object.keys(fields).toSorted(),
    ...(from ? { from } : {}),
  }));
  const state = is?.body ? "stored" : is?.deleted ? "deleted" : merges.length > 0 ? "incomplete" : "unknown";
  const { name, company_id, investors, key } = (is?.body ?? {}) as Partial<CompanyRecord & RoundRecord & SignalRecord>;
  return {
    type,
    id,
    state,
    version: is?.version ?? null,
    updated_at: is?.updated_at ?? null,
    ...(name === undefined && key === undefined ? {} : { name: name ?? key! }),
    ...(company_id === undefined ? {} : { company_id }),
    ...(investors === undefined ? {} : { investor_ids: investors.map(({ investor_id }) => investor_id) }),
    ...(is?.from ? { from: is.from } : {}),
    merges: shownMerges,
  };
}

type Found<T> = { found: readonly T[]; total: number };
const NONE: Found<never> = { found: [], total: 0 };

async function find<T>({ client }: Parts, index: string, filter: estypes.QueryDslQueryContainer[]): Promise<Found<T>> {
  const answer = await retryForever(async () =>
    wholeAnswer(
      await client.search<T>({ index, query: { bool: { filter } }, size: MAX_SOURCES, track_total_hits: true }),
    ),
  );
  const { hits, total } = answer.hits;
  return { found: hits.map((hit) => hit._source!), total: typeof total === "object" ? total.value : (total ?? 0) };
}

function shown(read: {
  records: RecordState[];
  edges: Found<StoredEdge>;
  stakes: Found<StoredStake>;
  snapshots: number;
}): ExplainedSources {
  const { records, edges, stakes, snapshots } = read;
  return {
    records,
    edges: edges.found.map(({ type, record_id, company_id }) => ({ type, record_id, company_id })),
    stakes: stakes.found.map(({ round_id, investor_ids }) => ({ round_id, investor_ids })),
    snapshots,
    truncated: edges.total > edges.found.length || stakes.total > stakes.found.length,
  };
}

const unique = (ids: readonly (string | undefined)[]): string[] => [...new Set(ids.filter((id) => id !== undefined))];
