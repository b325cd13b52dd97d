import type { estypes } from "@elastic/elasticsearch";
import { movedField } from "@tranche/read-models/documents/change-tickets";
import { FIELD_GROUPS } from "@tranche/read-models/documents/field-groups";
import { REGISTRY } from "@tranche/read-models/documents/registry";
import { FIRST_STAGE } from "@tranche/shared/engines/search/index-names";
import { refreshed } from "@tranche/shared/engines/search/refreshed";
import { searchKeys } from "@tranche/shared/engines/search/search-all";
import { isOver, type LostNumbers } from "@tranche/shared/protocol/ticket/lost-numbers";
import type { PipelineParts } from "../pipeline/parts.ts";
import { deriveAgain } from "./derive-again.ts";

/** `created` is also when every group of fields moved that has no ticket of its own. */
const WHEN_CHANGED = ["changed", "created", ...FIELD_GROUPS.map(movedField)];

/**
 * Derives again the documents that have changed or moved under numbers which Redis has lost: their notes are lost as well, so readers of the
 * feed may have passed them. It is called until nothing can appear any more that a dead writer wrote under them. Returns how many it
 * derived. Rule 17 of docs/decisions/0040-a-feed-that-misses-nothing.md.
 */
export async function publishLost(parts: PipelineParts): Promise<number> {
  const lost = parts.tickets.lostNumbers();
  if (lost.length === 0) return 0;
  const now = Date.now();
  const query = changedUnder(lost);
  let derived = 0;
  for (const model of FIRST_STAGE) {
    const index = parts.names.role(model, "live");
    await refreshed(parts.client, [index], parts.onRetry);
    for await (const page of searchKeys(parts.client, { index, query, field: REGISTRY[model].idField })) {
      // The refresh has shown what its writer has not announced. Derived again it is the same, so that announces too little.
      await parts.announcer.announceEverything([model]);
      await deriveAgain(parts, model, page);
      derived += page.length;
    }
  }
  if (derived > 0) parts.log.info({ derived }, "published again what had changed under numbers that Redis lost");
  await parts.tickets.forgetLost(lost.filter((each) => isOver(each, now)));
  return derived;
}

/**
 * The documents that have changed or moved under these numbers. One that has changed again since may still have moved under one of them.
 * Only `changed` is indexed, and it is never below when a group of fields has moved.
 */
export const changedUnder = (lost: readonly LostNumbers[]): estypes.QueryDslQueryContainer => ({
  bool: {
    should: lost.map(({ above, last }) => ({
      bool: {
        filter: [{ range: { changed: { gt: above } } }],
        should: WHEN_CHANGED.map((field) => ({ range: { [field]: { gt: above, lte: last } } })),
        minimum_should_match: 1,
      },
    })),
  },
});
