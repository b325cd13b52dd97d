import { isoDay, dayOfTime } from "@tranche/shared/time/day";
import { searchAll } from "@tranche/shared/search/search-all";
import type { SignalsDocument } from "@tranche/shared/documents/signals";
import { readTargets } from "../write/targets.ts";
import { inParts } from "./ingest.ts";
import type { JobParts } from "./parts.ts";

/** Finds the signals documents that time alone has changed by today and enqueues their derivation; returns how many. */
export async function enqueueDue(parts: JobParts): Promise<number> {
  const today = isoDay(dayOfTime(parts.now()));
  const due = new Set<string>();
  for (const index of (await readTargets(parts)).signals) {
    const pages = searchAll<Pick<SignalsDocument, "company_id">>(parts.client, {
      index,
      query: { range: { next_change_at: { lte: today } } },
      sort: ["company_id"],
      source: ["company_id"],
    });
    for await (const page of pages) for (const { company_id } of page) due.add(company_id);
  }
  await parts.enqueueDerive(inParts({ rounds: new Set(), companies: due }));
  return due.size;
}
