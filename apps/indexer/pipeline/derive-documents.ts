import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import type { DocumentIds } from "../read/affected-documents.ts";
import { investorsOfRounds } from "../read/investors-of-rounds.ts";
import { deriveAfresh, type DeriveOptions } from "./derivation.ts";
import type { PipelineParts } from "./parts.ts";
import { publishBatch, type Published } from "./publish-batch.ts";

/**
 * Derives documents afresh and makes them visible everywhere. Investors become pending for the second stage: the named ones, and all
 * that the rounds have or had. They are added after the rounds are visible and before the caller's job is acknowledged, so a job that dies
 * in between adds them when it runs again.
 */
export async function deriveDocuments(
  parts: PipelineParts,
  documents: DocumentIds,
  options: DeriveOptions = {},
): Promise<Published> {
  const { rounds, companies } = documents;
  const investors = new Set([...documents.investors, ...(await investorsOfRounds(parts, rounds))]);
  if (rounds.size + companies.size + investors.size === 0) return { funding: 0, companies: 0, noteLost: false };
  const derivation = await deriveAfresh(parts, documents, options);
  const published = await publishBatch(parts, derivation);
  if (published.noteLost) return deriveDocuments(parts, documents, { again: true });
  await addPendingInvestors(parts, derivation.ticket, investors);
  return published;
}

/** Adds investors for the second stage. */
async function addPendingInvestors(parts: PipelineParts, ticket: Ticket, ids: ReadonlySet<string>): Promise<void> {
  if (ids.size === 0) return;
  await parts.pendingInvestors.add(ticket, ids);
  // After they are added: a pass that begins before may miss them.
  await parts.enqueueInvestors();
}
