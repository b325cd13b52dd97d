import { FIRST_STAGE, type FirstStage } from "@tranche/shared/engines/search/index-names";
import { changesTo } from "../write/changes.ts";
import { type Publication, publish, writtenOf } from "../write/publish.ts";
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
    "client" | "names" | "versions" | "log" | "onRetry" | "announcer" | "pendingWrites" | "sendToDeadLetters"
  >,
  { ticket, ids, documents, deadLetters }: Derivation,
): Promise<Published> {
  const refused: Publication["rejected"] = [];
  const models = FIRST_STAGE.filter((model) => ids[model].length > 0);
  let noteLost = false;
  const announcements = await Promise.all(
    models.map(async (model) => {
      const { outgoing, few } = documents[model];
      const writing = await parts.announcer.begin(model, ticket, ids[model]);
      const changes = few && !writing.contested ? await changesTo(parts, model, few) : undefined;
      const { rejected, superseded } = await publish(parts, model, outgoing);
      refused.push(...rejected);
      if (!(await parts.pendingWrites.takeBack(model, ticket, writtenOf(ids[model], outgoing, rejected))))
        noteLost = true;
      // If a document was not written, the index differs from the derivation and the changes are unknown.
      const asDerived = rejected.length + superseded === 0;
      return () => parts.announcer.announce(model, [writing], asDerived ? changes : undefined);
    }),
  );
  await parts.sendToDeadLetters([...deadLetters, ...(await deadLettersOfRefused(parts, refused))]);
  await Promise.all(announcements.map((announce) => announce()));
  return { funding: ids.funding.length, companies: ids.companies.length, noteLost };
}
