import type { DocumentIds } from "../affected/affected-documents.ts";
import { deriveDocuments } from "./derive-documents.ts";
import { deriveAllNoted, type NotedList, type PassOptions } from "./noted-pass.ts";
import { only } from "./pages.ts";
import type { PipelineParts } from "./parts.ts";

/** While ingest jobs wait, the pause after each batch is this many times the batch's duration. */
const COURTESY = 2;

/** Notes documents that one change affects in great number. They are derived once, however often they are noted until then. */
export async function noteFanout(parts: PipelineParts, { rounds, companies }: DocumentIds): Promise<void> {
  const ticket = await parts.tickets.take();
  await parts.notedFanout.rounds.add(ticket, rounds);
  await parts.notedFanout.companies.add(ticket, companies);
  // After they are noted: a pass that begins before may miss them.
  await parts.enqueueFanout();
}

/** One pass over the noted rounds and companies. */
export async function deriveFanout(parts: PipelineParts, options: PassOptions & { again: boolean }): Promise<number> {
  const listOf = (kind: "rounds" | "companies", model: "funding" | "signals"): NotedList => ({
    noted: parts.notedFanout[kind],
    derive: (ids) => deriveDocuments(parts, only(model, ids), { again: options.again }),
  });
  return deriveAllNoted([listOf("rounds", "funding"), listOf("companies", "signals")], {
    ...options,
    courtesy: COURTESY,
    enqueue: parts.enqueueFanout,
  });
}

/** Enqueues a pass if documents are noted: a failed job leaves them noted. */
export async function resumeFanout(parts: PipelineParts): Promise<void> {
  const counts = await Promise.all([parts.notedFanout.rounds.count(), parts.notedFanout.companies.count()]);
  if (counts.some((count) => count > 0)) await parts.enqueueFanout();
}
