import type { DeadLetter, ExplainJob } from "@tranche/shared/protocol/queue/queues";
import { deriveBatch } from "../pipeline/derive-batch.ts";
import { investorDocuments, readInvestorRecords } from "../pipeline/derive-investors.ts";
import { only } from "../pipeline/pages.ts";
import type { PipelineParts } from "../pipeline/parts.ts";
import type { Derived } from "../write/outgoing.ts";
import { readInvestorTargets, readTargets } from "../write/targets.ts";

/** The expected content of an index with a role: null when nothing is to be shown, `failed` when the document can't be derived. */
type Explained = { index: string; document: object | null; failed?: string };

/** Derives one document from the records as they are now, for each index with a role. Writes nothing. */
export async function deriveForExplanation(parts: PipelineParts, { model, id }: ExplainJob): Promise<Explained[]> {
  const ticket = await parts.tickets.take();
  if (model !== "investors") {
    const indices = (await readTargets(parts, ticket))[model];
    const { documents, deadLetters } = await deriveBatch(parts, ticket, only(model, [id]));
    return indices.map((index) => explained(parts, index, documents[model], deadLetters));
  }
  const records = await readInvestorRecords(parts, ticket, [id]);
  const found: Explained[] = [];
  for (const target of await readInvestorTargets(parts, ticket)) {
    const deadLetters: DeadLetter[] = [];
    // An investors index may count other rounds than the next one.
    const documents = await investorDocuments(parts, ticket, target, [id], records, deadLetters);
    if (documents) found.push(explained(parts, target.index, documents, deadLetters));
  }
  return found;
}

function explained(
  { versions }: PipelineParts,
  index: string,
  [derived]: readonly Derived[],
  [letter]: readonly DeadLetter[],
): Explained {
  if (!derived) return { index, document: null, failed: letter?.reason ?? "unknown" };
  if ("gone" in derived.document) return { index, document: null };
  // An index of an earlier version gets documents without the fields that it does not take.
  const leftOut = versions.leftOut(index);
  return {
    index,
    document: Object.fromEntries(Object.entries(derived.document).filter(([field]) => !leftOut.has(field))),
  };
}
