import type { DocumentIds } from "../read/affected-documents.ts";
import { deriveDocuments } from "./derive-documents.ts";
import { deriveAllPending, type PendingList, type PassOptions } from "./pending-pass.ts";
import { only } from "./pages.ts";
import type { PipelineParts } from "./parts.ts";

/** While ingest jobs wait, the pause after each batch is this many times the batch's duration. */
const COURTESY = 2;

/**
 * Adds documents that one change affects in great number. They are derived once, however often they are added until then. `since`: the time
 * (ms) of the job that they follow from; undefined: now.
 */
export async function addPendingFanout(
  parts: PipelineParts,
  { rounds, companies }: DocumentIds,
  since: number | undefined,
): Promise<void> {
  const ticket = await parts.tickets.take();
  await parts.pendingFanout.rounds.add(ticket, rounds);
  await parts.pendingFanout.companies.add(ticket, companies);
  // After they are added: a pass that begins before may miss them.
  await parts.enqueueFanout(since);
}

/** One pass over the pending rounds and companies. */
export async function deriveFanout(parts: PipelineParts, options: PassOptions & { again: boolean }): Promise<number> {
  const listOf = (kind: "rounds" | "companies", model: "funding" | "companies"): PendingList => ({
    pending: parts.pendingFanout[kind],
    derive: (ids) => deriveDocuments(parts, only(model, ids), { again: options.again }),
  });
  return deriveAllPending([listOf("rounds", "funding"), listOf("companies", "companies")], {
    ...options,
    courtesy: COURTESY,
    enqueue: () => parts.enqueueFanout(),
  });
}

/** Enqueues a pass if documents are pending: a failed job leaves them so. */
export async function resumeFanout(parts: PipelineParts): Promise<void> {
  const counts = await Promise.all([parts.pendingFanout.rounds.count(), parts.pendingFanout.companies.count()]);
  if (counts.some((count) => count > 0)) await parts.enqueueFanout();
}
