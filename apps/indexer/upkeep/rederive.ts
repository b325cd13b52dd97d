import { setTimeout as pause } from "node:timers/promises";
import { REGISTRY } from "@tranche/read-models/documents/registry";
import { RECORD_TYPES } from "@tranche/shared/domain/records/record";
import { READ_MODELS, type ReadModel } from "@tranche/shared/engines/search/index-names";
import { refreshed } from "@tranche/shared/engines/search/refreshed";
import { followUps } from "../pipeline/follow-ups.ts";
import type { IdRange } from "@tranche/shared/engines/search/id-ranges";
import { only, pagesOf } from "../pipeline/pages.ts";
import type { PipelineParts } from "../pipeline/parts.ts";
import { shareOut, type ShareOutParts } from "../rebuild/share-out.ts";
import { COUNTED, type SlicedWork } from "../rebuild/sliced-work.ts";

const PAGE_SIZE = 5000;
const MAX_WAITING_JOBS = 200;

/**
 * `waiting` returns the number of waiting derivations; none are added while there are more than 200. Once `until` aborts, their number no
 * longer goes down in this process, so nothing waits for that.
 */
export type RederiveParts = PipelineParts & { waiting: () => Promise<number>; until: AbortSignal };

/**
 * Enqueues the derivation of every document of a read model. `again`: their writers may have died and left no note, so all count as
 * changed in the feed.
 */
export function rederivation(
  parts: RederiveParts,
  { model, again }: { model: ReadModel; again: boolean },
): SlicedWork<number> {
  async function* pages(range: IdRange) {
    for await (const page of pagesOf(parts, model, PAGE_SIZE, range)) {
      while (!parts.until.aborted && (await parts.waiting()) > MAX_WAITING_JOBS) await pause(500);
      await parts.enqueueDerive(followUps(only(model, page)).map((job) => ({ ...job, again })));
      yield { last: page.at(-1)!, found: page.length };
    }
  }
  return {
    name: `rederive-${again ? "again-" : ""}${model}`,
    type: REGISTRY[model].record,
    pageSize: PAGE_SIZE,
    ...COUNTED,
    open: async () => pages,
  };
}

/**
 * Enqueues the derivation of every document: after Redis lost its data, records may be stored whose documents were never derived. All
 * indexers share the work slice by slice. `run` names it: a second call after a kill continues it.
 */
export async function rederiveAll(
  parts: RederiveParts & ShareOutParts,
  { run, again }: { run: string; again: boolean },
): Promise<number> {
  const records = [...RECORD_TYPES, "snapshot" as const, "merge" as const].map(parts.names.record);
  // The job that stored a record may have been lost before it refreshed the index.
  await refreshed(parts.client, [...records, parts.names.edges, parts.names.stakes], parts.onRetry);
  let documents = 0;
  for (const model of READ_MODELS) {
    // It has to end well some time: nobody would ask for it again.
    const options = { run, tries: Number.POSITIVE_INFINITY };
    documents += await shareOut(parts, rederivation(parts, { model, again }), options, async () => {});
  }
  return documents;
}
