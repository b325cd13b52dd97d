import { FIRST_STAGE, type FirstStage } from "@tranche/shared/search/index-names";
import { stamped } from "../feed/stamped.ts";
import { changesTo } from "../write/changes.ts";
import { type Publication, publish } from "../write/publish.ts";
import type { Derivation } from "./derivation.ts";
import type { PipelineParts } from "./parts.ts";
import { deadLettersOfRefused } from "./refused.ts";

/**
 * How many documents of each read model of the first stage were published. `noteLost`: Redis lost the note meanwhile, so readers of the
 * feed may have passed the ticket, and the documents have to be derived again as changed.
 */
export type Published = Record<FirstStage, number> & { noteLost: boolean };

/**
 * Writes a derivation to its targets, makes it visible, lets the feed show it, announces it to readers, and stores refused documents as
 * dead letters.
 */
export async function publishBatch(
  parts: Pick<
    PipelineParts,
    "client" | "names" | "versions" | "log" | "onRetry" | "announcer" | "notes" | "sendToDeadLetters"
  >,
  { ticket, ids, uncertain, targets, batch }: Derivation,
): Promise<Published> {
  const refused: Publication["rejected"] = [];
  const models = FIRST_STAGE.filter((model) => ids[model].length > 0);
  let noteLost = false;
  const announcements = await Promise.all(
    models.map(async (model) => {
      const derived = batch.documents[model];
      const writing = await parts.announcer.begin(
        model,
        ticket,
        derived.map(({ id }) => id),
      );
      const [changes, documents] = await Promise.all([
        writing.contested ? undefined : changesTo(parts, model, derived),
        stamped(parts, model, targets[model].at(-1)!, ticket, derived, uncertain[model]),
      ]);
      const { rejected, superseded } = await publish(parts, model, targets[model], ticket, documents);
      refused.push(...rejected);
      const left = new Set(rejected.map(({ id }) => id));
      const written = derived.flatMap(({ id }) => (left.has(id) ? [] : [id]));
      const there = new Set(written);
      const others = ids[model].filter((id) => !there.has(id));
      if (!(await parts.notes.takeBack(model, ticket, { written, left: others }))) noteLost = true;
      // If a document was not written, the index differs from the derivation and the changes are unknown.
      const asDerived = rejected.length + superseded === 0;
      return () => parts.announcer.announce(model, [writing], asDerived ? changes : undefined);
    }),
  );
  await parts.sendToDeadLetters([...batch.deadLetters, ...(await deadLettersOfRefused(parts, refused))]);
  await Promise.all(announcements.map((announce) => announce()));
  return { funding: batch.documents.funding.length, signals: batch.documents.signals.length, noteLost };
}
