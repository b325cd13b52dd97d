import { setTimeout as pause } from "node:timers/promises";
import type { estypes } from "@elastic/elasticsearch";
import { createFeedControlStore, type FeedControl } from "@tranche/shared/protocol/feed/control";
import type { FeedModel } from "@tranche/shared/protocol/feed/keys";
import { chunks } from "@tranche/shared/engines/search/chunks";
import { FIRST_STAGE } from "@tranche/shared/engines/search/index-names";
import { refreshed } from "@tranche/shared/engines/search/refreshed";
import { searchKeys } from "@tranche/shared/engines/search/search-all";
import type { PipelineParts } from "../pipeline/parts.ts";
import { readStoredTickets } from "../pipeline/stored-tickets.ts";
import { publishAsItIs } from "./publish-as-it-is.ts";
import { type FeedParts, reconcileFeed } from "./reconcile.ts";
import { REGISTRY } from "@tranche/read-models/documents/registry";

const PAGE_SIZE = 500;
/** Documents that somebody else writes are left; the writer is done soon, or the next round of maintenance continues. */
const ROUNDS = 20;

export type DueParts = FeedParts & PipelineParts;
type Due = NonNullable<FeedControl["due"]>;

/**
 * Publishes again documents that readers of the feed may have missed because they searched other indices before: as they are, with a new
 * time of change. Published ones leave the search, so a pass that is killed is continued by the next. Returns whether nothing is left.
 */
export async function publishDue(parts: DueParts): Promise<boolean> {
  const store = createFeedControlStore(parts.client, parts.names);
  for (let round = 0; round < ROUNDS; round++) {
    // Readers search the new indices when it returns, so a ticket that is taken then is above all that they have seen.
    const read = await reconcileFeed(parts);
    const { due, served } = read.control;
    if (!due) return true;
    if (due.until === null) {
      await store.save(read, { ...read.control, due: { ...due, until: await parts.tickets.take() } });
      continue;
    }
    let left = 0;
    for (const model of FIRST_STAGE) left += await publishDifferences(parts, model, served[model], due);
    if (left === 0) await store.save(read, { ...read.control, due: null });
    else await pause(parts.timing.feedDue);
  }
  return false;
}

/** Returns how many are left, because somebody else writes them. */
async function publishDifferences(parts: DueParts, model: FeedModel, live: string, due: Due): Promise<number> {
  const { since, until } = due as { since: number; until: number };
  const other = due.other[model];
  await refreshed(parts.client, [live, other], parts.onRetry);
  const keys = (index: string, changed: estypes.QueryDslRangeQuery) =>
    searchKeys(parts.client, { index, query: { range: { changed } }, field: REGISTRY[model].idField, pageSize: 5000 });
  let left = 0;
  const publish = async (ids: readonly string[]) => {
    for (const some of chunks(ids, PAGE_SIZE)) left += await publishAsItIs(parts, model, live, some);
  };
  for await (const ids of keys(live, { gte: since, lte: until })) await publish(ids);
  for await (const ids of keys(other, { gte: since })) {
    const there = await readStoredTickets(parts, model, live, ids);
    await publish(ids.filter((id) => !((there.get(id)?.changed ?? 0) >= since)));
  }
  return left;
}
