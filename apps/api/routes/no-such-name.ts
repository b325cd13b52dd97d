import { wordsOf } from "@tranche/shared/domain/text/words";
import type { ApiError } from "../errors/api-error.ts";
import { notFound } from "../errors/api-error.ts";
import type { Asking } from "./look-up.ts";
import type { FindNames } from "../name-search/find-names.ts";
import type { FoundName } from "../name-search/found-name.ts";
import type { NameType } from "@tranche/read-models/parameters/name-search";
import { searchedFields } from "../name-search/searched-fields.ts";
import { shortened } from "@tranche/read-models/parameters/query-string";
import { unanswerable } from "./assert-filled.ts";
import type { ApiParts } from "./parts.ts";

const MOST = 3;
/** In characters. Longer texts are not names that somebody typed. */
const MAX_LENGTH = 100;

/**
 * The 404 of a look-up by id or name. It suggests the three closest records, unless the account has no turn left to search for them,
 * or the index can't be searched for names before a rebuild. `message`: a whole sentence.
 */
export async function noSuchName(
  { findNames, lacking, turns }: Pick<ApiParts, "findNames" | "lacking" | "turns">,
  message: string,
  { type, text }: { type: NameType; text: string },
  { account, left }: Asking,
): Promise<ApiError> {
  // Suggestions are an extra: without a look at the index there are none.
  const model = searchedFields(type).model;
  const missing = await unanswerable({ lacking, model, asked: { names: type } }).catch((error: ApiError) => error);
  const closest =
    missing === undefined && turns.hasRoom(account)
      ? await turns.inTurn(account, left(), () => closestNames(findNames, type, text, left()))
      : [];
  const ids = closest.flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return notFound(message);
  const options = closest.map(({ id, name }) => `'${shortened(id!)}' (${shortened(name)})`);
  const hint = `Did you mean ${new Intl.ListFormat("en", { type: "disjunction" }).format(options)}?`;
  const problem = { code: "unknown_value", value: shortened(text), suggestion: ids[0], allowed: ids } as const;
  return notFound(`${message} ${hint}`, [{ parameter: "id", message, ...problem }]);
}

/** The closest to a text; or to the name in it, where it begins as ids do that were made of names, such as `co-acme`. */
async function closestNames(
  findNames: FindNames,
  type: NameType,
  text: string,
  left: AbortSignal,
): Promise<FoundName[]> {
  if (wordsOf(text).length === 0 || Array.from(text).length > MAX_LENGTH) return [];
  const closestTo = (name: string) => findNames({ text: name, types: new Set([type]), limit: MOST, left });
  const found = await closestTo(text);
  const name = text.replace(/^(?:co|inv)-/i, "");
  return found.length > 0 || name === text || wordsOf(name).length === 0 ? found : closestTo(name);
}
