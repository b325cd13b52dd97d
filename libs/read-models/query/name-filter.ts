import { anyOf, beginWords, either, type FieldOf, type Filter } from "./filters.ts";
import { nameQuery } from "./name-match.ts";
import type { Names } from "../documents/names.ts";

/** The names that match a text without edits: those for which `createMatchOf` gives a match. */
export function nameFilter<Document extends Names>(
  text: string,
  fields: { keys: FieldOf<NoInfer<Document>, string>; domain?: FieldOf<NoInfer<Document>, string> },
): Filter[] {
  const { keys, forms, domain } = nameQuery(text);
  return either([
    ...anyOf<Document>(fields.keys, keys),
    ...(fields.domain && domain !== null ? anyOf<Document>(fields.domain, [domain]) : []),
    // A name that begins with the text has such words.
    ...forms.flatMap(({ words }) => beginWords(words)),
  ]);
}
