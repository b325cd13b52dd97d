import type { ParsedRecord } from "@tranche/shared/records/parse";
import type { RecordWrite } from "@tranche/shared/records/record";
import type { RecordEnqueuer } from "@tranche/shared/queue/enqueue";
import type { TicketClock } from "@tranche/shared/ticket/ticket-clock";

/** Records that wait for their versions together. */
const BLOCK = 500;

export type Writer = {
  /** `again`: the record replaces one that was added before, which need not be written if it still waits. */
  add(record: ParsedRecord, again?: boolean): Promise<void>;
  /** Everything added before is in the queue then. */
  flush(): Promise<void>;
};

/**
 * Puts records in the queue, in the order in which they come. Those without a version take one from the ticket clock: consecutive
 * ones for each block, taken just before it is enqueued, so that versions follow the order of enqueueing.
 */
export function createWriter(parts: {
  enqueuer: RecordEnqueuer;
  takeVersions: TicketClock["take"];
  /** When the writes are enqueued, ISO time. */
  updatedAt: () => string;
}): Writer {
  let block: ParsedRecord[] = [];

  const send = async () => {
    const records = block;
    block = [];
    const unversioned = records.filter((record) => record.version === undefined).length;
    let version = unversioned > 0 ? await parts.takeVersions(unversioned) : 0;
    const updated_at = parts.updatedAt();
    for (const { type, id, body, version: given } of records) {
      await parts.enqueuer.add({ type, id, version: given ?? version++, updated_at, body } as RecordWrite);
    }
  };

  return {
    async add(record, again = false) {
      const waiting = again ? block.findLastIndex(({ type, id }) => type === record.type && id === record.id) : -1;
      if (waiting !== -1) {
        block[waiting] = record;
        return;
      }
      block.push(record);
      if (block.length >= BLOCK) await send();
    },
    async flush() {
      await send();
      await parts.enqueuer.flush();
    },
  };
}
