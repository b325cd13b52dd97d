import type { Client, estypes } from "@elastic/elasticsearch";
import { edgeOf, stakeOfRound } from "@tranche/shared/domain/records/edges";
import type { StoredRecord } from "@tranche/shared/domain/records/stored";
import { writeBulk } from "@tranche/shared/engines/search/bulk";
import type { BulkItem } from "@tranche/shared/engines/search/bulk-part";
import { assertWritten } from "@tranche/shared/engines/search/bulk-results";
import { noteDeletions } from "@tranche/shared/engines/search/deletions";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { refreshed } from "@tranche/shared/engines/search/refreshed";
import { searchAll } from "@tranche/shared/engines/search/search-all";

/** With this version Elasticsearch writes a document only if it is missing. */
const IF_MISSING = { number: 0, type: "external" } as const;

type Source = { id: string; record_id?: string; company_id?: string; investor_ids?: string[]; updated_at: string };

/**
 * Writes the edges, stakes and deletions of companies that records and merges show and that are missing. A snapshot reads its indices
 * one after another, so it may have a record without them. Returns how many were missing. Rejects when Elasticsearch refuses one.
 */
export async function completeTraces(client: Client, names: IndexNames): Promise<number> {
  let written = 0;
  const complete = async (type: "round" | "signal", index: string, query: estypes.QueryDslQueryContainer) => {
    const source = ["id", "record_id", "company_id", "investor_ids", "updated_at"];
    for await (const page of searchAll<Source>(client, { index, query, sort: ["id"], source })) {
      const items = page.flatMap(({ id, record_id = id, company_id, investor_ids = [], updated_at }): BulkItem[] => {
        const edge = company_id === undefined ? [] : [edgeOf({ type, record_id, company_id, updated_at })];
        const stake =
          investor_ids.length === 0 ? [] : [stakeOfRound({ round_id: record_id, investor_ids, updated_at })];
        return [
          ...edge.map((each) => ({ index: names.edges, ...each, version: IF_MISSING })),
          ...stake.map((each) => ({ index: names.stakes, ...each, version: IF_MISSING })),
        ];
      });
      const results = await writeBulk(client, items);
      assertWritten(results, "edges and stakes");
      written += results.filter((result) => result === "done").length;
    }
  };
  for (const type of ["round", "signal"] as const) {
    await complete(type, names.record(type), { match_all: {} });
    await complete(type, names.record("merge"), { term: { type } });
  }
  const deleted = searchAll<StoredRecord>(client, {
    index: names.record("company"),
    query: { term: { deleted: true } },
    sort: ["id"],
    source: ["id", "version", "updated_at"],
  });
  for await (const page of deleted) written += await noteDeletions({ client, names }, page);
  await refreshed(client, [names.edges, names.stakes, names.record("snapshot")]);
  return written;
}
