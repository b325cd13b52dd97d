import type { estypes } from "@elastic/elasticsearch";
import { daysOf, deletedAt } from "@tranche/shared/domain/records/snapshots";
import type { StoredSnapshot } from "@tranche/shared/domain/records/stored";
import { collected, searchAllHits } from "@tranche/shared/engines/search/search-all";
import { dayOf, dayOfTime, type Day, isoDay } from "@tranche/shared/domain/time/day";
import { forgettable, KEPT_DAYS } from "../derive/signals/forgettable.ts";
import { chunks } from "@tranche/shared/engines/search/chunks";
import type { PipelineParts } from "../pipeline/parts.ts";
import { remove } from "./remove.ts";

const COMPANIES_AT_ONCE = 200;

/** As long as deleted records are kept: a snapshot from before the deletion that arrives later than this counts again. */
const DELETED_DAYS = 30;

/**
 * Removes snapshots that are older than 13 months and no longer affect a signal, those from before a deletion of their company, and then
 * deletions of more than 30 days ago; returns how many.
 */
export async function purgeSnapshots(parts: PipelineParts): Promise<number> {
  const today = dayOfTime(parts.now());
  let removed = 0;
  const removeAll = async (hits: readonly Hit[]) => (removed += (await remove(parts, hits)).length);
  for (const companies of [companiesWithOldOnes(parts, today), deletedCompanies(parts)]) {
    for await (const ids of companies) {
      const histories = [...(await historiesOf(parts, ids)).values()];
      await removeAll(histories.flatMap((history) => forgotten(history, today)));
      // After the snapshots that it rules out.
      const tombstones = histories.flat().filter(({ _source }) => _source!.deleted);
      await removeAll(tombstones.filter(({ _source }) => dayOf(_source!.observed_at) < today - DELETED_DAYS));
    }
  }
  return removed;
}

type Hit = estypes.SearchHit<StoredSnapshot>;

async function historiesOf(parts: PipelineParts, companies: string[]): Promise<Map<string, Hit[]>> {
  const query = { terms: { company_id: companies } };
  const request = { index: parts.names.record("snapshot"), query, sort: ["id"], source: true };
  const found = await collected(searchAllHits<StoredSnapshot>(parts.client, request));
  return Map.groupBy(found, (hit) => hit._source!.company_id);
}

/** The snapshots of a company that no longer count. */
function forgotten(history: readonly Hit[], today: Day): Hit[] {
  const snapshots = history.map((hit) => hit._source!);
  const deleted = deletedAt(snapshots);
  const days = new Set(forgettable(daysOf(snapshots), today).map(({ observed_at }) => observed_at));
  return history.filter(({ _source }) => {
    const { version, observed_at, deleted: isTombstone } = _source!;
    return !isTombstone && (version <= deleted || days.has(observed_at));
  });
}

async function* deletedCompanies(parts: PipelineParts): AsyncGenerator<string[]> {
  const pages = searchAllHits<Pick<StoredSnapshot, "company_id">>(parts.client, {
    index: parts.names.record("snapshot"),
    query: { term: { deleted: true } },
    sort: ["company_id"],
    source: ["company_id"],
    pageSize: COMPANIES_AT_ONCE,
  });
  for await (const page of pages) yield page.map((hit) => hit._source!.company_id);
}

/** Ids of companies with more than one snapshot older than 13 months, in chunks. A company keeps its only old snapshot. */
async function* companiesWithOldOnes(parts: PipelineParts, today: Day): AsyncGenerator<string[]> {
  const pages = searchAllHits<Pick<StoredSnapshot, "company_id">>(parts.client, {
    index: parts.names.record("snapshot"),
    query: { range: { observed_at: { lt: isoDay(today - KEPT_DAYS) } } },
    sort: ["company_id", "id"],
    source: ["company_id"],
  });
  let [last, companies] = ["", new Set<string>()];
  for await (const page of pages) {
    for (const hit of page) {
      const { company_id } = hit._source!;
      if (company_id === last) companies.add(company_id);
      last = company_id;
    }
    yield* chunks([...companies], COMPANIES_AT_ONCE);
    companies = new Set();
  }
}
