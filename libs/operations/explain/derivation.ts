import { askIndexer } from "@tranche/shared/protocol/queue/ask-indexer";
import { type ExplainJob, QUEUES } from "@tranche/shared/protocol/queue/queues";
import type { Installation } from "../installation/installation.ts";
import type { ExplainedDerivation, DerivedDocument } from "./facts.ts";

/**
 * Has an indexer derive a document afresh, with its own rules. Waits `withinMs` for the result: an installation whose indexers do not
 * run is explained without.
 */
export async function askForDerivation(
  installation: Installation,
  data: ExplainJob,
  withinMs: number,
): Promise<ExplainedDerivation> {
  const queue = installation.queue<ExplainJob>(QUEUES.explain);
  const answer = await askIndexer<ExplainJob, DerivedDocument[]>(queue, "explain", data, withinMs);
  return "result" in answer ? { derived: answer.result } : answer;
}
