import type { estypes } from "@elastic/elasticsearch";
import { RECORD_TYPES } from "@tranche/shared/domain/records/record";
import type { StoredEdge, StoredRecord, StoredSnapshot, StoredStake } from "@tranche/shared/domain/records/stored";
import { openMerges } from "@tranche/shared/engines/search/merges";
import { collected, searchAllHits } from "@tranche/shared/engines/search/search-all";
import { followUps } from "../pipeline/follow-ups.ts";
import { only } from "../pipeline/pages.ts";
import type { PipelineParts } from "../pipeline/parts.ts";
import type { Purged } from "./purged.ts";
import { remove } from "./remove.ts";

/** 30 days. A write that is older than the delete and arrives later than this brings the record back. */
const KEPT_MS = 30 * 86_400_000;
const PAGE_SIZE = 500;

/** Removes records that were deleted more than 30 days ago, with their edges, stakes and snapshots. */
export async function purgeDeleted(parts: PipelineParts): Promise<Omit<Purged, "merges" | "gone">> {
  const before = new Date(parts.now() - KEPT_MS).toISOString();
  const purged: Omit<Purged, "merges" | "gone"> = { records: 0, edges: 0, stakes: 0, snapshots: 0 };
  for (const type of RECORD_TYPES) {
    const pages = searchAllHits<Pick<StoredRecord, "id" | "version" | "updated_at">>(parts.client, {
      index: parts.names.record(type),
      query: { term: { deleted: true } },
      sort: ["id"],
      source: ["id", "version", "updated_at"],
      pageSize: PAGE_SIZE,
    });
    for await (const page of pages) {
      const due = page.filter((hit) => hit._source!.updated_at < before);
      if (due.length === 0) continue;
      const merges = await openMerges(parts);
      // A record with merges that are still stored stays: they make it visible again, or wait for an upsert.
      const merged = await merges.of(
        type,
        due.map((hit) => hit._id!),
      );
      const old = due.filter((hit) => !merged.has(hit._id!));
      const ids = old.map((hit) => hit._id!);
      // Before the records: if the purge stops here, the next one finds the records and continues.
      if (type === "round" || type === "signal") purged.edges += await purgeEdges(parts, type, ids, before);
      if (type === "round") purged.stakes += await purgeStakes(parts, ids, before);
      if (type === "company") purged.snapshots += await purgeSnapshotsOf(parts, sourcesOf(old));
      const removed = new Set((await remove(parts, old)).map((hit) => hit._id!));
      purged.records += removed.size;
      if (type === "company")
        await deriveAgain(
          parts,
          ids.filter((id) => !removed.has(id)),
        );
    }
  }
  return purged;
}

/** Edges newer than `before` stay: a write stores the edge before its record, so the record may be about to come back. */
async function purgeEdges(
  parts: PipelineParts,
  type: "round" | "signal",
  records: readonly string[],
  before: string,
): Promise<number> {
  const query = { bool: { filter: [{ term: { type } }, { terms: { record_id: [...records] } }] } };
  const edges = await all<StoredEdge>(parts, parts.names.edges, query, ["record_id", "company_id"]);
  return (await remove(parts, edges.filter(isOlder(before)))).length;
}

/** Newer stakes stay, for the same reason. */
async function purgeStakes(parts: PipelineParts, rounds: readonly string[], before: string): Promise<number> {
  const query = { terms: { round_id: [...rounds] } };
  const stakes = await all<StoredStake>(parts, parts.names.stakes, query, ["id"]);
  return (await remove(parts, stakes.filter(isOlder(before)))).length;
}

const isOlder = (before: string) => (hit: estypes.SearchHit<{ updated_at: string }>) =>
  hit._source!.updated_at < before;

/** Newer snapshots stay: a write stores them before its record, so the company may be about to come back. */
async function purgeSnapshotsOf(
  parts: PipelineParts,
  companies: readonly Pick<StoredRecord, "id" | "version">[],
): Promise<number> {
  const versions = new Map(companies.map(({ id, version }) => [id, version]));
  const query = { terms: { company_id: [...versions.keys()] } };
  const found = await all<StoredSnapshot>(parts, parts.names.record("snapshot"), query, ["id"]);
  const old = found.filter(({ _source }) => _source!.version <= versions.get(_source!.company_id)!);
  return (await remove(parts, old)).length;
}

const sourcesOf = <T>(hits: readonly estypes.SearchHit<T>[]): T[] => hits.map((hit) => hit._source!);

/** For companies that came back during the purge: their documents may have been derived from the old snapshots. */
async function deriveAgain(parts: PipelineParts, companies: readonly string[]): Promise<void> {
  if (companies.length > 0) await parts.enqueueDerive(followUps(only("companies", companies)));
}

const all = <T>({ client }: PipelineParts, index: string, query: estypes.QueryDslQueryContainer, sort: string[]) =>
  collected(searchAllHits<T>(client, { index, query, sort, source: true }));
