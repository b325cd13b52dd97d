import type { ReadModel } from "@tranche/shared/engines/search/index-names";
import { ApiError } from "../errors/api-error.ts";
import type { Generation } from "../serve/generation.ts";
import type { LackingFields } from "../search/lacking-fields.ts";
import { type Asked, neededBy } from "./needed-fields.ts";

/** A rebuild takes minutes. */
const RETRY_AFTER_SECONDS = 60;

/** A question to a read model, its index, and its generation if that is known. */
type Question = { lacking: LackingFields; model: ReadModel; asked: Asked; generation?: Generation | undefined };

/**
 * Throws `unavailable` when something that is asked of a read model needs a field that not all documents have: an answer would lack rows,
 * or parts of sums, in silence.
 */
export async function assertFilled(question: Question): Promise<void> {
  const what = await unanswerable(question);
  if (what === undefined) return;
  throw new ApiError(
    "unavailable",
    `The service was upgraded, and its search index can't answer ${what} yet: it gets what that needs with the next rebuild. Everything else is answered.`,
    { headers: { "Retry-After": String(RETRY_AFTER_SECONDS) } },
  );
}

/** The callers' name for the first part that needs a field which not all documents have; undefined: each part can be answered. */
export async function unanswerable({ lacking, model, asked, generation }: Question): Promise<string | undefined> {
  const needs = neededBy(asked).filter(([, fields]) => fields.length > 0);
  if (needs.length === 0) return undefined;
  const missing = await lacking.of(model, generation);
  return needs.find(([, fields]) => fields.some((field) => missing.has(field)))?.[0];
}
