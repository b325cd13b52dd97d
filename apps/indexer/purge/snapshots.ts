import type { estypes } from "@elastic/elasticsearch";
import type { StoredSnapshot } from "@tranche/shared/records/stored";
import { searchAllHits } from "@tranche/shared/search/search-all";
import { dayOfTime, isoDay } from "@tranche/shared/time/day";
import { forgettable, KEPT_DAYS } from "../derive/signals/forgettable.ts";
import { chunks } from "@tranche/shared/search/chunks";
import type { PipelineParts } from "../pipeline/parts.ts";
import { oneADay } from "../read/snapshots.ts";
import { remove } from "./remove.ts";

const COMPANIES_AT_ONCE = 200;

/** Removes snapshots that are older than 13 months and no longer affect a signal; returns how many. */
export async function purgeSnapshots(parts: PipelineParts): Promise<number> {
  let removed = 0;
  for await (const companies of companiesWithOldOnes(parts)) {
    const snapshots: estypes.SearchHit<StoredSnapshot>[] = [];
    const pages = searchAllHits<StoredSnapshot>(parts.client, {
      index: parts.names.record("snapshot"),
      query: { terms: { company_id: companies } },
      sort: ["id"],
      source: true,
    });
    for await (const page of pages) snapshots.push(...page);
    const hitOf = new Map(snapshots.map((hit) => [hit._source!, hit]));
    const today = dayOfTime(parts.now());
    const old = [...Map.groupBy(hitOf.keys(), (snapshot) => snapshot.company_id).values()].flatMap((history) => {
      const days = new Set(forgettable(oneADay(history), today).map((snapshot) => snapshot.observed_at));
      return history.filter((snapshot) => days.has(snapshot.observed_at));
    });
    removed += (
      await remove(
        parts,
        old.map((snapshot) => hitOf.get(snapshot)!),
      )
    ).length;
  }
  return removed;
}

/** Ids of companies with more than one snapshot older than 13 months, in chunks. A company keeps its only old snapshot. */
async function* companiesWithOldOnes(parts: PipelineParts): AsyncGenerator<string[]> {
  const pages = searchAllHits<Pick<StoredSnapshot, "company_id">>(parts.client, {
    index: parts.names.record("snapshot"),
    query: { range: { observed_at: { lt: isoDay(dayOfTime(parts.now()) - KEPT_DAYS) } } },
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
