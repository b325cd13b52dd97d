import type { DeadLetter } from "@tranche/shared/protocol/queue/queues";
import type { Rebuild } from "@tranche/shared/protocol/rebuild/state";
import { chunks } from "@tranche/shared/engines/search/chunks";
import { FIRST_STAGE, type FirstStage } from "@tranche/shared/engines/search/index-names";
import { searchKeys } from "@tranche/shared/engines/search/search-all";
import { REGISTRY } from "@tranche/read-models/documents/registry";
import { readKept } from "../pipeline/kept.ts";
import { createCopyStamp } from "../pipeline/stamped.ts";
import { derive } from "../pipeline/derive-batch.ts";
import { only } from "../pipeline/pages.ts";
import { deadLettersOfRefused } from "../pipeline/refused.ts";
import { readSources } from "../read/document-sources.ts";
import { outgoing } from "../write/outgoing.ts";
import { writeTo } from "../write/publish.ts";
import { copying, type CopyParts } from "./copying.ts";

const PAGE_SIZE = 2000;

/**
 * Copies what is gone, because readers of the feed may not know of the removal yet. It is derived from the records, so what was listed again
 * meanwhile is not gone in the new index either. Rule 7 of docs/decisions/0040-a-feed-that-misses-nothing.md.
 */
export async function copyGone(parts: CopyParts, { id, indices }: Pick<Rebuild, "id" | "indices">): Promise<void> {
  for (const model of FIRST_STAGE) {
    // Before the search: the writes of workers that do not know the new index yet are not visible yet.
    const pending = await parts.pendingWrites.allPending(model);
    for (const page of chunks(pending, PAGE_SIZE)) await copyPage(parts, model, indices[model], page);
    const gone = searchKeys(parts.client, {
      index: parts.names.role(model, "live"),
      query: { term: { gone: true } },
      field: REGISTRY[model].idField,
      pageSize: PAGE_SIZE,
    });
    for await (const page of gone) {
      if (!(await copying(parts, id))) return;
      await copyPage(parts, model, indices[model], page);
    }
  }
}

async function copyPage(parts: CopyParts, model: FirstStage, index: string, ids: readonly string[]): Promise<void> {
  const ticket = await parts.tickets.take();
  const live = parts.names.role(model, "live");
  const stamp = await createCopyStamp(parts, model, live, ticket, ids);
  const sources = await readSources(parts, ticket, only(model, ids));
  const kept = await readKept(parts, model, live, ids, sources);
  const deadLetters: DeadLetter[] = [];
  const derived = derive(parts, model, ids, sources, deadLetters);
  const { rejected } = await writeTo(parts, model, index, outgoing(ticket, stamp(derived, kept)));
  await parts.sendToDeadLetters([...deadLetters, ...(await deadLettersOfRefused(parts, rejected))]);
}
