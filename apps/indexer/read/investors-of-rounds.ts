import type { Client } from "@elastic/elasticsearch";
import type { StoredStake } from "@tranche/shared/domain/records/stored";
import { chunks } from "@tranche/shared/engines/search/chunks";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { searchAll } from "@tranche/shared/engines/search/search-all";

/** The engine takes at most 65,536 terms in a query. */
const ROUNDS_AT_ONCE = 10_000;

/**
 * The investors that these rounds have or ever had, by their stakes. Read them after the rounds' records are refreshed: the stakes of
 * every write that the records show are there then.
 */
export async function investorsOfRounds(
  { client, names }: { client: Client; names: IndexNames },
  rounds: Iterable<string>,
): Promise<Set<string>> {
  const investors = new Set<string>();
  for (const some of chunks([...rounds], ROUNDS_AT_ONCE)) {
    const pages = searchAll<Pick<StoredStake, "investor_ids">>(client, {
      index: names.stakes,
      query: { bool: { filter: [{ terms: { round_id: some } }] } },
      sort: ["id"],
      source: ["investor_ids"],
    });
    for await (const page of pages)
      for (const { investor_ids } of page) for (const id of investor_ids) investors.add(id);
  }
  return investors;
}
