import type { GoneDocument } from "@tranche/shared/documents/funding";
import type { DeadLetter } from "@tranche/shared/queue/queues";
import { READ_MODELS, type ReadModel } from "@tranche/shared/search/indices";
import { dayOfTime } from "@tranche/shared/time/day";
import { signalsDocument } from "../derive/company.ts";
import { fundingDocument } from "../derive/funding.ts";
import { type Material, readMaterial } from "../read/material.ts";
import type { Touched } from "../touch/touched.ts";
import { changesTo } from "../write/changes.ts";
import { type Derived, publish } from "../write/publish.ts";
import { readTargets, type Targets } from "../write/targets.ts";
import type { JobParts } from "./parts.ts";

const GONE: GoneDocument = { gone: true };

export type Derivation = Record<ReadModel, number>;

/**
 * Derives documents afresh and makes them visible everywhere. The order of its steps is what makes it right when several
 * workers derive the same document: whoever holds the highest ticket has seen every record refreshed before it was issued, and
 * its write wins.
 */
export async function deriveDocuments(parts: JobParts, touched: Touched): Promise<Derivation> {
  if (touched.rounds.size + touched.companies.size === 0) return { funding: 0, signals: 0 };
  const ticket = await parts.tickets.take();
  const targets = await readTargets(parts);
  const batch = await deriveBatch(parts, touched);
  return publishBatch(parts, batch, targets, ticket);
}

export type Batch = { documents: Record<ReadModel, Derived[]>; letters: DeadLetter[] };

/** Derives documents from the records as they are now. Take the ticket first. */
export async function deriveBatch(parts: JobParts, touched: Touched): Promise<Batch> {
  const material = await readMaterial(parts, touched);
  const letters: DeadLetter[] = [];
  return {
    documents: {
      funding: [...derive(parts, "funding", touched.rounds, material, letters)],
      signals: [...derive(parts, "signals", touched.companies, material, letters)],
    },
    letters,
  };
}

const DOCUMENT = { funding: fundingDocument, signals: signalsDocument } as const;

/**
 * Derives documents of a read model from what was read for them, each when it is asked for. What has nothing to show is `gone`; what
 * can't be derived is left out, and `letters` get a letter of it.
 */
export function* derive(
  parts: JobParts,
  model: ReadModel,
  ids: Iterable<string>,
  material: Material,
  letters: DeadLetter[],
): Generator<Derived> {
  const today = dayOfTime(parts.now());
  for (const id of ids) {
    let document: object;
    try {
      document = DOCUMENT[model](id, material, today) ?? GONE;
    } catch (error) {
      parts.log.error({ err: error, model, id }, "a document can't be derived");
      letters.push(documentLetter(model, id, `can't be derived: ${(error as Error).message}`));
      continue;
    }
    yield { id, document };
  }
}

/** Writes a batch to its targets, makes it visible, tells readers of it, and keeps what was refused. */
export async function publishBatch(
  parts: Pick<JobParts, "client" | "names" | "onTrouble" | "announcer" | "bury">,
  batch: Batch,
  targets: Targets,
  ticket: number,
): Promise<Derivation> {
  const letters = [...batch.letters];
  const models = READ_MODELS.filter((model) => batch.documents[model].length > 0);
  const announcements = await Promise.all(
    models.map(async (model) => {
      const documents = batch.documents[model];
      const writing = await parts.announcer.begin(
        model,
        ticket,
        documents.map(({ id }) => id),
      );
      const changes = writing.contested ? undefined : await changesTo(parts, model, documents);
      const { rejected, superseded } = await publish(parts, model, targets[model], ticket, documents);
      letters.push(...rejected.map(({ id, reason }) => documentLetter(model, id, reason)));
      // What was not written is not what it was derived as.
      const asDerived = rejected.length + superseded === 0;
      return () => parts.announcer.announce(model, [writing], asDerived ? changes : undefined);
    }),
  );
  await parts.bury(letters);
  await Promise.all(announcements.map((announce) => announce()));
  return { funding: batch.documents.funding.length, signals: batch.documents.signals.length };
}

/** The dead letter of a document that was refused or can't be derived. */
export function documentLetter(model: ReadModel, id: string, reason: string): DeadLetter {
  return { what: { kind: "document", model, id }, reason };
}
