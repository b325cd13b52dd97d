import type { IngestToken } from "@tranche/shared/accounts/ingest-token-store";
import type { ParsedRecord, RecordProblem } from "@tranche/shared/domain/records/parse";

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
