import { createHash } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import type { Queue } from "bullmq";
import type { IndexNames } from "../../engines/search/index-names.ts";
import { createBackupDocuments } from "./backup-documents.ts";
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

/** A dead letter's id: a repeated job that meets the same problem makes the same dead letter. */
export function deadLetterId({ what }: DeadLetter): string {
  return createHash("sha256").update(JSON.stringify(what)).digest("hex").slice(0, 32);
}

export function createDeadLetterBackup(client: Client, names: IndexNames): DeadLetterBackup {
  const kind = "dead-letter";
  const options = { kind, what: "dead letters", pageSize: PAGE_SIZE } as const;
  const documents = createBackupDocuments<BackedUpLetter>(client, names.control, options);
  return {
    async keep(letters) {
      const at = Date.now();
      await documents.write(letters.map((letter) => ({ kind, id: deadLetterId(letter), at, letter })));
    },
    forget: (id) => documents.remove(id),
    async restore(queue) {
      let kept = 0;
      for await (const page of documents.readAll()) {
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
