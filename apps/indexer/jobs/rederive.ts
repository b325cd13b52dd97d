import { setTimeout as pause } from "node:timers/promises";
import { READ_MODELS } from "@tranche/shared/search/indices";
import { pagesOf } from "../rebuild/pages.ts";
import { inParts } from "./ingest.ts";
import type { JobParts } from "./parts.ts";

const PAGE_SIZE = 5000;
const MAX_WAITING_JOBS = 200;

/**
 * Enqueues the derivation of every document: after Redis lost its data, records may be stored whose documents were never derived.
 * `waiting` tells how many derivations wait; no more are added while that is long.
 */
export async function rederiveAll(parts: JobParts, waiting: () => Promise<number>): Promise<number> {
  let documents = 0;
  for (const model of READ_MODELS) {
    for await (const { touched } of pagesOf(parts, model, null, PAGE_SIZE)) {
      while ((await waiting()) > MAX_WAITING_JOBS) await pause(500);
      await parts.enqueueDerive(inParts(touched));
      documents += touched.rounds.size + touched.companies.size;
    }
  }
  return documents;
}
