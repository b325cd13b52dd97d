import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import { createFeedControlStore } from "@tranche/shared/protocol/feed/control";
import { FIRST_STAGE } from "@tranche/shared/engines/search/index-names";
import { searchAllHits } from "@tranche/shared/engines/search/search-all";
import type { DueParts } from "../feed-serving/publish-due.ts";
import { reconcileFeed } from "../feed-serving/reconcile.ts";
import { REGISTRY } from "@tranche/read-models/documents/registry";
import { currentTargets } from "../write/targets.ts";
import { whileTarget } from "../write/while-target.ts";
import { remove } from "./remove.ts";

/** 30 days: the feed has removals for this long. */
const KEPT_MS = 30 * 86_400_000;
const PAGE_SIZE = 2000;

/**
 * Removes the documents of what is gone for 30 days from the read models, and returns how many. Positions of the feed from before that
 * end first, because readers with them would miss the removals. `now`: real time in ms, as tickets are.
 */
export async function purgeGone(parts: DueParts, now = Date.now()): Promise<number> {
  const until = (now - KEPT_MS) * 1000;
  await endPositions(parts, until);
  const targets = await currentTargets(parts);
  let removed = 0;
  for (const model of FIRST_STAGE) {
    for (const index of targets[model]) {
      await whileTarget(parts, [index], async () => {
        const pages = searchAllHits<ChangeTickets>(parts.client, {
          index,
          query: { bool: { filter: [{ term: { gone: true } }, { range: { changed: { lte: until } } }] } },
          sort: [REGISTRY[model].idField],
          source: false,
          pageSize: PAGE_SIZE,
        });
        for await (const page of pages) removed += (await remove(parts, page)).length;
        return true;
      });
    }
  }
  return removed;
}

/** Has readers see that removals up to a ticket may be missing. */
async function endPositions(parts: DueParts, until: number): Promise<void> {
  const store = createFeedControlStore(parts.client, parts.names);
  for (;;) {
    const read = await reconcileFeed(parts);
    const { purged } = read.control;
    if (FIRST_STAGE.every((model) => purged[model] >= until)) return;
    const version = await parts.tickets.take();
    await store.save(read, { ...read.control, version, purged: { funding: until, companies: until } });
  }
}
