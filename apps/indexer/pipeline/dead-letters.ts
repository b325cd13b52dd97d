import type { Logger } from "@tranche/shared/process/logger";
import type { DeadLetter } from "@tranche/shared/protocol/queue/queues";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import type { ReadModel } from "@tranche/shared/engines/search/index-names";

/** The dead letter of a document that was refused or can't be derived. */
export function deadLetterOfDocument(model: ReadModel, id: string, reason: string): DeadLetter {
  return { what: { kind: "document", model, id }, reason };
}

/** The dead letter of a document whose derivation threw, which it logs. */
export function deadLetterOfFailure(
  { log }: { log: Pick<Logger, "error"> },
  model: ReadModel,
  id: string,
  error: unknown,
): DeadLetter {
  log.error({ err: error, model, id }, "a document can't be derived");
  return deadLetterOfDocument(model, id, `can't be derived: ${(error as Error).message}`);
}

/** The dead letter of a record write that was refused. */
export function deadLetterOfWrite(write: RecordWrite, reason: string): DeadLetter {
  return { what: { kind: "write", write }, reason };
}
