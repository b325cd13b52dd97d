import { setTimeout as pause } from "node:timers/promises";
import { RECORD_TYPES } from "@tranche/shared/records/record";
import { READ_MODELS } from "@tranche/shared/search/index-names";
import { refreshed } from "@tranche/shared/search/refreshed";
import { only, pagesOf } from "../pipeline/pages.ts";
import { followUps } from "../pipeline/follow-ups.ts";
import type { PipelineParts } from "../pipeline/parts.ts";

const PAGE_SIZE = 5000;
const MAX_WAITING_JOBS = 200;

/**
 * Enqueues the derivation of every document: after Redis lost its data, records may be stored whose documents were never derived.
 * `waiting` returns the number of waiting derivations; none are added while there are more than 200.
 */
export async function rederiveAll(parts: PipelineParts, waiting: () => Promise<number>): Promise<number> {
  const records = [...RECORD_TYPES, "snapshot" as const, "merge" as const].map(parts.names.record);
  // The job that stored a record may have been lost before it refreshed the index.
  await refreshed(parts.client, [...records, parts.names.edges, parts.names.stakes], parts.onRetry);
  let documents = 0;
  for (const model of READ_MODELS) {
    for await (const page of pagesOf(parts, model, PAGE_SIZE)) {
      while ((await waiting()) > MAX_WAITING_JOBS) await pause(500);
      await parts.enqueueDerive(followUps(only(model, page)));
      documents += page.length;
    }
  }
  return documents;
}
