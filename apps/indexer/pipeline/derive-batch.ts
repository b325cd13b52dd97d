import type { GoneDocument } from "@tranche/read-models/documents/funding";
import type { DeadLetter } from "@tranche/shared/protocol/queue/queues";
import type { FirstStage } from "@tranche/shared/engines/search/index-names";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import { dayOfTime } from "@tranche/shared/domain/time/day";
import { companyDocument } from "../derive/company.ts";
import { fundingDocument } from "../derive/funding.ts";
import { readSources } from "../read/document-sources.ts";
import type { Sources } from "../read/sources.ts";
import type { DocumentIds } from "../read/affected-documents.ts";
import type { Derived } from "../write/outgoing.ts";
import { deadLetterOfFailure } from "./dead-letters.ts";
import type { PipelineParts } from "./parts.ts";

/** The document that replaces one with nothing to show. */
export const GONE: GoneDocument = { gone: true };

/** Derived documents of each read model of the first stage, and the dead letters of those that can't be derived. */
export type Batch = { documents: Record<FirstStage, Derived[]>; deadLetters: DeadLetter[] };

/** Derives documents from the records as they are now. */
export async function deriveBatch(parts: PipelineParts, ticket: Ticket, ids: DocumentIds): Promise<Batch> {
  const sources = await readSources(parts, ticket, ids);
  const deadLetters: DeadLetter[] = [];
  return {
    documents: {
      funding: [...derive(parts, "funding", ids.rounds, sources, deadLetters)],
      companies: [...derive(parts, "companies", ids.companies, sources, deadLetters)],
    },
    deadLetters,
  };
}

const DOCUMENT = { funding: fundingDocument, companies: companyDocument } as const;

/**
 * Derives documents of a read model from their source records, lazily. A document with nothing to show is `gone`. A document that
 * can't be derived is left out, and its dead letter is added to `deadLetters`.
 */
export function* derive(
  parts: PipelineParts,
  model: FirstStage,
  ids: Iterable<string>,
  sources: Sources,
  deadLetters: DeadLetter[],
): Generator<Derived> {
  const today = dayOfTime(parts.now());
  for (const id of ids) {
    let document: object;
    try {
      document = DOCUMENT[model](id, sources, today) ?? GONE;
    } catch (error) {
      deadLetters.push(deadLetterOfFailure(parts, model, id, error));
      continue;
    }
    yield { id, document };
  }
}
