import { createHash } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import type { Queue } from "bullmq";
import { writeBulk } from "../search/bulk.ts";
import { assertWritten } from "../search/bulk-results.ts";
import type { IndexNames } from "../search/index-names.ts";
import { refreshed } from "../search/refreshed.ts";
import { retryForever } from "../search/retry-forever.ts";
import { searchAll } from "../search/search-all.ts";
import { type DeadLetter, JOB_OPTIONS } from "./queues.ts";

/** A dead letter as it is kept in Elasticsearch. */
type BackedUpLetter = { kind: "dead-letter"; id: string; at: number; letter: DeadLetter };

/** Dead letters in the control index. The queue of dead letters is what operators see; this copy survives the loss of Redis. */
export type DeadLetterBackup = {
  /** Rejects when Elasticsearch refuses one for good; all others are kept. */
  keep(letters: readonly DeadLetter[]): Promise<void>;
  /** An operator has retried or discarded it. */
  forget(id: string): Promise<void>;
  /** Puts those that Redis has lost back into the queue of dead letters. Returns how many are kept. */
  restore(queue: Queue<DeadLetter>): Promise<number>;
};

const PAGE_SIZE = 500;
const documentId = (id: string) => `dead-letter-${id}`;

/** A dead letter's id: a repeated job that meets the same problem makes the same dead letter. */
export function deadLetterId({ what }: DeadLetter): string {
  return createHash("sha256").update(JSON.stringify(what)).digest("hex").slice(0, 32);
}

export function createDeadLetterBackup(client: Client, names: IndexNames): DeadLetterBackup {
  const index = names.control;
  return {
    async keep(letters) {
      if (letters.length === 0) return;
      const at = Date.now();
      const items = letters.map((letter) => {
        const id = deadLetterId(letter);
        const document: BackedUpLetter = { kind: "dead-letter", id, at, letter };
        return { index, id: documentId(id), document };
      });
      assertWritten(await writeBulk(client, items), "dead letters");
    },
    async forget(id) {
      await retryForever(() => client.delete({ index, id: documentId(id) }, { ignore: [404] }));
    },
    async restore(queue) {
      await refreshed(client, index);
      const query = { term: { kind: "dead-letter" } };
      let kept = 0;
      for await (const page of searchAll<BackedUpLetter>(client, {
        index,
        query,
        sort: ["id"],
        source: true,
        pageSize: PAGE_SIZE,
      })) {
        kept += page.length;
        // One that Redis still has stays as it is.
        await queue.addBulk(
          page.map(({ id, at, letter }) => ({
            name: letter.what.kind,
            data: letter,
            opts: { ...JOB_OPTIONS, jobId: id, timestamp: at },
          })),
        );
      }
      return kept;
    },
  };
}
