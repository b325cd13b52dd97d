import type { IngestToken } from "@tranche/shared/accounts/ingest-token-store";
import { IngestError } from "./errors.ts";
import type { ParsedRecord, RecordProblem } from "@tranche/shared/domain/records/parse";

/** Throws `forbidden` where the token is for another set. */
export function assertSet(token: Pick<IngestToken, "set">, set: string | undefined): void {
  if (token.set === null || token.set === set) return;
  throw new IngestError("forbidden", `This token sends the set '${token.set}' only: say set=${token.set}.`, {
    parameter: "set",
  });
}

/** Why a token may not send a record; undefined where it may. */
export function beyondRights(
  { types, deletes }: Pick<IngestToken, "types" | "deletes">,
  { type, body }: ParsedRecord,
): RecordProblem | undefined {
  if (types && !types.includes(type))
    return { field: "type", reason: `this token sends ${types.join(", ")} only, not ${type}` };
  if (!deletes && body === null) return { field: "op", reason: "this token deletes nothing" };
  return undefined;
}
