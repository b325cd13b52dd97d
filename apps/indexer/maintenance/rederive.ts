import { setTimeout as pause } from "node:timers/promises";
import { RECORD_TYPES } from "@tranche/shared/records/record";
import type { RederiveJob } from "@tranche/shared/queue/queues";
import { READ_MODELS } from "@tranche/shared/search/index-names";
import { refreshed } from "@tranche/shared/search/refreshed";
import { only, pagesOf } from "../pipeline/pages.ts";
import { followUps } from "../pipeline/follow-ups.ts";
import type { PipelineParts } from "../pipeline/parts.ts";

const PAGE_SIZE = 5000;
const MAX_WAITING_JOBS = 200;

/**
 * Enqueues the derivation of every document: after Redis lost its data, records may be stored whose documents were never derived.
 * `again`: their writers may have died and left no note, so all count as changed in the feed. `waiting` returns the number of waiting derivations; none are added while there are more than 200.
 */
export async function rederiveAll(
  parts: PipelineParts,
  waiting: () => Promise<number>,
  { again }: RederiveJob,
): Promise<number> {
  const records = [...RECORD_TYPES, "snapshot" as const, "merge" as const].map(parts.names.record);
  // The job that stored a record may have been lost before it refreshed the index.
  await refreshed(parts.client, [...records, parts.names.edges, parts.names.stakes], parts.onRetry);
  let documents = 0;
  for (const model of READ_MODELS) {
    for await (const page of pagesOf(parts, model, PAGE_SIZE)) {
      while ((await waiting()) > MAX_WAITING_JOBS) await pause(500);
      await parts.enqueueDerive(followUps(only(model, page)).map((job) => ({ ...job, again })));
      documents += page.length;
    }
  }
  return documents;
}
