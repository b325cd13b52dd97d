import type { ParsedRecord } from "@tranche/shared/domain/records/parse";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import type { Origin, RecordEnqueuer } from "@tranche/shared/protocol/queue/enqueue";
import type { TicketClock } from "@tranche/shared/protocol/ticket/ticket-clock";

/** Records that wait for their versions together. */
const BLOCK = 500;

/** A record on its way into the queue. `again`: it replaces an earlier record of this ingest. */
export type Waiting = { record: ParsedRecord; again: boolean; origin?: Origin };

export type Writer = {
  /** `again`: the record replaces one that was added before, which need not be written if it still waits. */
  add(record: ParsedRecord, again?: boolean, origin?: Origin): Promise<void>;
  /** Resolves when everything added before is in the queue. Records that could not be enqueued stay for another try. */
  flush(): Promise<void>;
  /** How many records were added, and how many of them, the first ones, are in the queue or left out. */
  counts: () => { added: number; enqueued: number };
};

/**
 * Enqueues records in their order. Records without a version get one from the ticket clock. Each block gets consecutive versions just
 * before it is enqueued, so versions follow the order of enqueueing.
 */
export function createWriter(parts: {
  enqueuer: RecordEnqueuer;
  /** Chooses the records of a block that go into the queue; all of them if it is left out. */
  select?: (block: readonly Waiting[]) => Promise<readonly Waiting[]>;
  takeVersions: TicketClock["takeVersions"];
  /** When the writes are enqueued, ISO time. */
  updatedAt: () => string;
}): Writer {
  let block: Waiting[] = [];
  const selected: Waiting[] = [];
  let added = 0;

  const send = async () => {
    if (block.length > 0) {
      selected.push(...((await parts.select?.(block)) ?? block));
      block = [];
    }
    const unversioned = selected.filter(({ record }) => record.version === undefined).length;
    let version = unversioned > 0 ? await parts.takeVersions(unversioned) : 0;
    const updated_at = parts.updatedAt();
    while (selected.length > 0) {
      const { record, origin } = selected[0]!;
      const { type, id, body, merge, version: given } = record;
      const content = merge ? { merge } : { body };
      await parts.enqueuer.add(
        { type, id, version: given ?? version++, updated_at, ...content } as RecordWrite,
        origin,
      );
      selected.shift();
    }
  };

  return {
    async add(record, again = false, origin) {
      const isIt = ({ record: other }: Waiting) => other.type === record.type && other.id === record.id;
      const waiting = again ? block.findLast(isIt) : undefined;
      if (waiting) {
        waiting.record = record;
        return;
      }
      block.push({ record, again, ...(origin && { origin }) });
      added++;
      if (block.length >= BLOCK) await send();
    },
    async flush() {
      await send();
      await parts.enqueuer.flush();
    },
    counts: () => ({ added, enqueued: added - block.length - selected.length - parts.enqueuer.waiting() }),
  };
}
