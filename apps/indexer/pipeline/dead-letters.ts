import { createHash } from "node:crypto";
import type { DeadLetter } from "@tranche/shared/queue/queues";
import type { RecordWrite } from "@tranche/shared/records/record";
import type { ReadModel } from "@tranche/shared/search/index-names";

/** The dead letter of a document that was refused or can't be derived. */
export function deadLetterOfDocument(model: ReadModel, id: string, reason: string): DeadLetter {
  return { what: { kind: "document", model, id }, reason };
}

/** The dead letter of a record write that was refused. */
export function deadLetterOfWrite(write: RecordWrite, reason: string): DeadLetter {
  return { what: { kind: "write", write }, reason };
}

/** A dead letter's id: a repeated job that meets the same problem makes the same dead letter. */
export function deadLetterId({ what }: DeadLetter): string {
  return createHash("sha256").update(JSON.stringify(what)).digest("hex").slice(0, 32);
}
