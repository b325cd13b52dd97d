import type { StoredRecord } from "@tranche/shared/domain/records/stored";
import type { DeadLetter } from "@tranche/shared/protocol/queue/queues";
import { openMerges } from "@tranche/shared/engines/search/merges";
import { readRecords } from "@tranche/shared/engines/search/records";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import { investorDocument, NO_ROUNDS } from "../derive/investor.ts";
import { type InvestorFigures, readFigures } from "../read/investor-figures.ts";
import { changesTo } from "../write/changes.ts";
import { type Derived, outgoingTo } from "../write/outgoing.ts";
import { type Publication, publish } from "../write/publish.ts";
import { type InvestorTarget, readInvestorTargets } from "../write/targets.ts";
import { whileTarget } from "../write/while-target.ts";
import { deadLetterOfFailure } from "./dead-letters.ts";
import { GONE } from "./derive-batch.ts";
import type { PipelineParts } from "./parts.ts";
import { deadLettersOfRefused } from "./refused.ts";

type InvestorRecords = ReadonlyMap<string, StoredRecord<"investor">>;

/**
 * The second stage: derives the documents of investors from their records and from the rounds in the funding index, and makes them
 * visible everywhere. The order is that of the first stage: first the ticket, then the targets, then the records and the rounds. So the
 * holder of the highest ticket has counted every round that was visible before.
 */
export async function deriveInvestors(parts: PipelineParts, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const ticket = await parts.tickets.take();
  const targets = await readInvestorTargets(parts, ticket);
  const records = await readInvestorRecords(parts, ticket, ids);
  const writing = await parts.announcer.begin("investors", ticket, ids);
  const deadLetters: DeadLetter[] = [];
  const refused: Publication["rejected"] = [];
  let changes: Awaited<ReturnType<typeof changesTo>>;
  let asDerived = true;
  // The live index is the last target.
  for (const target of targets) {
    changes = undefined;
    const documents = await whileTarget(parts, [target.index, target.funding], () =>
      investorDocuments(parts, ticket, target, ids, records, deadLetters),
    );
    if (!documents) continue;
    changes = writing.contested ? undefined : await changesTo(parts, "investors", documents);
    const outgoing = outgoingTo(parts.versions, [target.index], ticket, documents);
    const { rejected, superseded } = await publish(parts, "investors", outgoing);
    refused.push(...rejected);
    asDerived &&= rejected.length + superseded === 0;
  }
  await parts.sendToDeadLetters([...deadLetters, ...(await deadLettersOfRefused(parts, refused))]);
  await parts.announcer.announce("investors", [writing], asDerived ? changes : undefined);
}

/** The records of investors, as they are after the ticket was taken. */
export async function readInvestorRecords(
  parts: PipelineParts,
  _taken: Ticket,
  ids: readonly string[],
): Promise<InvestorRecords> {
  return readRecords(parts, await openMerges(parts), "investor", ids);
}

/**
 * The documents of investors for one target; undefined when its funding index no longer exists, because it has lost its role. A
 * document that can't be derived is left out, and its dead letter is added to `deadLetters`.
 */
export async function investorDocuments(
  parts: PipelineParts,
  ticket: Ticket,
  target: InvestorTarget,
  ids: readonly string[],
  records: InvestorRecords,
  deadLetters: DeadLetter[],
): Promise<Derived[] | undefined> {
  let figures: ReadonlyMap<string, InvestorFigures>;
  try {
    figures = await readFigures(parts, ticket, target.funding, [...records.keys()]);
  } catch (error) {
    const isMissing = (error as { meta?: { statusCode?: number } }).meta?.statusCode === 404;
    if (!isMissing || (await isTarget(parts, ticket, target))) throw error;
    return undefined;
  }
  return ids.flatMap((id): Derived[] => {
    const record = records.get(id);
    if (!record) return [{ id, document: GONE }];
    try {
      return [{ id, document: investorDocument(record, figures.get(id) ?? NO_ROUNDS) }];
    } catch (error) {
      deadLetters.push(deadLetterOfFailure(parts, "investors", id, error));
      return [];
    }
  });
}

async function isTarget(parts: PipelineParts, ticket: Ticket, { index, funding }: InvestorTarget): Promise<boolean> {
  const targets = await readInvestorTargets(parts, ticket);
  return targets.some((target) => target.index === index && target.funding === funding);
}
