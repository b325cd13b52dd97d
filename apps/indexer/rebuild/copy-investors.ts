import type { DeadLetter } from "@tranche/shared/queue/queues";
import type { Rebuild } from "@tranche/shared/rebuild/state";
import { pMapIterable } from "p-map";
import { deadLetterOfDocument } from "../pipeline/dead-letters.ts";
import { investorDocuments, readInvestorRecords } from "../pipeline/derive-investors.ts";
import { pagesOf } from "../pipeline/pages.ts";
import { outgoing, writeTo } from "../write/publish.ts";
import type { RebuildParts } from "./parts.ts";
import { shown } from "./shown.ts";
import { refreshed } from "@tranche/shared/search/refreshed";

/** Investors per page. */
const PAGE_SIZE = 500;
const LANES = 2;

/**
 * Fills the new investors index from the new funding index, which is complete: every round is copied, and later ones come by the
 * pipeline, which notes their investors. Each page takes its ticket after the refresh, so it counts all of them. Yields the numbers of
 * investors, page by page; a rebuild that was killed begins with the first page again.
 */
export async function* copyInvestors(
  parts: RebuildParts,
  { indices }: Pick<Rebuild, "indices">,
): AsyncGenerator<number> {
  const index = parts.names.ownAlias(indices.funding);
  await refreshed(parts.client, index, parts.onRetry);
  yield* pMapIterable(
    pagesOf(parts, "investors", PAGE_SIZE),
    async (ids: string[]) => {
      await copyPage(parts, indices, ids);
      return ids.length;
    },
    { concurrency: LANES },
  );
}

async function copyPage(parts: RebuildParts, indices: Rebuild["indices"], ids: readonly string[]): Promise<void> {
  const target = { index: indices.investors, funding: indices.funding };
  const deadLetters: DeadLetter[] = [];
  const ticket = await parts.tickets.take();
  const records = await readInvestorRecords(parts, ticket, ids);
  const documents = await investorDocuments(parts, ticket, target, ids, records, deadLetters);
  // The rebuild was cancelled, and the next change of its state shows it.
  if (!documents) return;
  const { rejected } = await writeTo(
    parts,
    "investors",
    target.index,
    outgoing(parts.names, target.index, ticket, shown(documents)),
  );
  deadLetters.push(...rejected.map(({ id, reason }) => deadLetterOfDocument("investors", id, reason)));
  await parts.sendToDeadLetters(deadLetters);
}
