import { FIRST_STAGE, type FirstStage } from "@tranche/shared/search/index-names";
import { changesTo } from "../write/changes.ts";
import { type Publication, publish } from "../write/publish.ts";
import type { Derivation } from "./derivation.ts";
import type { PipelineParts } from "./parts.ts";
import { deadLettersOfRefused } from "./refused.ts";

/** How many documents of each read model of the first stage were published. */
export type Published = Record<FirstStage, number>;

/** Writes a derivation to its targets, makes it visible, announces it to readers, and stores refused documents as dead letters. */
export async function publishBatch(
  parts: Pick<PipelineParts, "client" | "names" | "versions" | "log" | "onRetry" | "announcer" | "sendToDeadLetters">,
  { ticket, targets, batch }: Derivation,
): Promise<Published> {
  const refused: Publication["rejected"] = [];
  const models = FIRST_STAGE.filter((model) => batch.documents[model].length > 0);
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
      refused.push(...rejected);
      // If a document was not written, the index differs from the derivation and the changes are unknown.
      const asDerived = rejected.length + superseded === 0;
      return () => parts.announcer.announce(model, [writing], asDerived ? changes : undefined);
    }),
  );
  await parts.sendToDeadLetters([...batch.deadLetters, ...(await deadLettersOfRefused(parts, refused))]);
  await Promise.all(announcements.map((announce) => announce()));
  return { funding: batch.documents.funding.length, signals: batch.documents.signals.length };
}
