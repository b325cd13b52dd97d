import type { DeadLetter } from "@tranche/shared/protocol/queue/queues";
import type { Rebuild } from "@tranche/shared/protocol/rebuild/state";
import { deadLetterOfDocument } from "../pipeline/dead-letters.ts";
import { investorDocuments, readInvestorRecords } from "../pipeline/derive-investors.ts";
import type { IdRange } from "@tranche/shared/engines/search/id-ranges";
import { idsOf } from "../pipeline/pages.ts";
import { chunks } from "@tranche/shared/engines/search/chunks";
import { COUNTED, type SlicedWork } from "./sliced-work.ts";
import { type Derived, outgoing } from "../write/outgoing.ts";
import { writeTo } from "../write/publish.ts";
import { copying, type CopyParts } from "./copying.ts";

/** Investors per page. */
const PAGE_SIZE = 500;

/**
 * Fills the new investors index from the new funding index, which is complete and refreshed: every round is copied, and later ones come
 * by the pipeline, which adds their investors to the pending ones. Each page takes its ticket after the refresh, so it counts all of them.
 */
export function copyInvestors(parts: CopyParts): SlicedWork<number> {
  return {
    name: "copy-investors",
    type: "investor",
    pageSize: PAGE_SIZE,
    ...COUNTED,
    async open(run) {
      const rebuild = await copying(parts, run);
      return rebuild && ((range) => copyRange(parts, rebuild.indices, range));
    },
  };
}

async function* copyRange(parts: CopyParts, indices: Rebuild["indices"], range: IdRange) {
  for await (const ids of idsOf(parts, "investor", range)) {
    for (const page of chunks(ids, PAGE_SIZE)) {
      await copyPage(parts, indices, page);
      yield { last: page.at(-1)!, found: page.length };
    }
  }
}

async function copyPage(parts: CopyParts, indices: Rebuild["indices"], ids: readonly string[]): Promise<void> {
  const target = { index: indices.investors, funding: indices.funding };
  const deadLetters: DeadLetter[] = [];
  const ticket = await parts.tickets.take();
  const records = await readInvestorRecords(parts, ticket, ids);
  const documents = await investorDocuments(parts, ticket, target, ids, records, deadLetters);
  // The rebuild was cancelled, and the next change of its state shows it.
  if (!documents) return;
  const { rejected } = await writeTo(parts, "investors", target.index, outgoing(ticket, shown(documents)));
  deadLetters.push(...rejected.map(({ id, reason }) => deadLetterOfDocument("investors", id, reason)));
  await parts.sendToDeadLetters(deadLetters);
}

/** Documents that no list shows are not copied. */
function* shown(documents: Iterable<Derived>): Generator<Derived> {
  for (const derived of documents) if (!("gone" in derived.document)) yield derived;
}
