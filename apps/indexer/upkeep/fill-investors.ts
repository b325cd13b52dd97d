import type { estypes } from "@elastic/elasticsearch";
import type { BulkItem } from "@tranche/shared/search/bulk-part";
import { writeBulk } from "@tranche/shared/search/bulk";
import { assertWritten } from "@tranche/shared/search/bulk-results";
import { retryForever, wholeAnswer } from "@tranche/shared/search/retry-forever";
import { searchAll } from "@tranche/shared/search/search-all";
import { addPendingInvestors } from "../pipeline/derive-documents.ts";
import { ALL_IDS, idsOf } from "../pipeline/pages.ts";
import type { PipelineParts } from "../pipeline/parts.ts";
import { stakeOf } from "../store/documents.ts";
import { refreshed } from "@tranche/shared/search/refreshed";

type WithInvestors = { investor_ids?: string[]; updated_at?: string } & Record<string, unknown>;

/**
 * Fills the investors read model of an installation that an earlier version without it has written: stores the stakes of all rounds and
 * makes all investors pending. Returns how many; none where there are documents of investors, or no investors. Call it before any
 * worker runs: a round that loses an investor meanwhile would leave no stake behind. If it is killed, the next start begins again.
 */
export async function fillInvestors(parts: PipelineParts): Promise<number> {
  const { names } = parts;
  const has = async (index: string) => {
    const answer = await retryForever(
      async () => wholeAnswer(await parts.client.count({ index, terminate_after: 1 })),
      parts.onRetry,
    );
    return answer.count > 0;
  };
  if ((await has(names.role("investors", "live"))) || !(await has(names.record("investor")))) return 0;
  await storeStakes(parts);
  return addAllInvestors(parts);
}

/** Makes every stored investor pending, and returns how many. */
export async function addAllInvestors(parts: PipelineParts): Promise<number> {
  let count = 0;
  for await (const ids of idsOf(parts, "investor", ALL_IDS)) {
    await addPendingInvestors(parts, await parts.tickets.take(), new Set(ids));
    count += ids.length;
  }
  return count;
}

/** Stores the stakes that records, merges and funding documents show. A document may have investors that its record has lost. */
async function storeStakes(parts: PipelineParts): Promise<void> {
  const { names } = parts;
  const ofRounds = { term: { type: "round" } };
  await storeStakesOf(parts, { index: names.record("round"), query: { match_all: {} }, idField: "id" });
  await storeStakesOf(parts, { index: names.record("merge"), query: ofRounds, idField: "record_id", sort: ["id"] });
  await storeStakesOf(parts, {
    index: names.role("funding", "live"),
    query: { term: { listed: true } },
    idField: "id",
  });
  await refreshed(parts.client, names.stakes, parts.onRetry);
}

async function storeStakesOf(
  parts: PipelineParts,
  from: { index: string; query: estypes.QueryDslQueryContainer; idField: string; sort?: string[] },
): Promise<void> {
  const now = new Date().toISOString();
  const pages = searchAll<WithInvestors>(parts.client, {
    index: from.index,
    query: from.query,
    sort: from.sort ?? [from.idField],
    source: [from.idField, "investor_ids", "updated_at"],
  });
  for await (const page of pages) {
    const stakes = page.flatMap((found): BulkItem[] => {
      const stake = stakeOf(
        parts.names,
        String(found[from.idField]),
        found.investor_ids ?? [],
        found.updated_at ?? now,
      );
      return stake ? [stake] : [];
    });
    assertWritten(await writeBulk(parts.client, stakes, { onRetry: parts.onRetry }), "stakes");
  }
}
