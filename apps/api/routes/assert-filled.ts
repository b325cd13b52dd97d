import type { ReadModel } from "@tranche/shared/search/index-names";
import { ApiError } from "../errors/api-error.ts";
import type { LackingFields } from "../search/lacking-fields.ts";
import { type Asked, neededBy } from "./needed-fields.ts";

/** A rebuild takes minutes. */
const RETRY_AFTER_SECONDS = 60;

type Lacking = Pick<LackingFields, "of">;

/**
 * Throws `unavailable` when something that is asked of a read model needs a field that not all documents have: an answer would lack rows,
 * or parts of sums, in silence.
 */
export function assertFilled(lacking: Lacking, model: ReadModel, asked: Asked): void {
  const what = unanswerable(lacking, model, asked);
  if (what === undefined) return;
  throw new ApiError(
    "unavailable",
    `The service was upgraded, and its search index can't answer ${what} yet: it gets what that needs with the next rebuild. Everything else is answered.`,
    { headers: { "Retry-After": String(RETRY_AFTER_SECONDS) } },
  );
}

/** What callers call the first part that needs a field which not all documents have; undefined: each part can be answered. */
export function unanswerable(lacking: Lacking, model: ReadModel, asked: Asked): string | undefined {
  const fields = lacking.of(model);
  if (fields.size === 0) return undefined;
  return neededBy(asked).find(([, needed]) => needed.some((field) => fields.has(field)))?.[0];
}
