import { z } from "zod";
import { closest } from "@tranche/shared/domain/text/closest";
import { shortened } from "../query-string.ts";
import { type Kind, scalar } from "./kind.ts";
import { suggested } from "./suggested.ts";

/** One of a few words, written exactly. `notes` explain other words that callers often try. `id`: its name in the OpenAPI document. */
export function choice<const T extends string>(
  words: readonly [T, ...T[]],
  {
    id,
    suggest = closest,
    notes = {},
  }: { id?: string; suggest?: typeof closest; notes?: Readonly<Record<string, string>> } = {},
): Kind<T> {
  const schema = id === undefined ? z.enum(words) : z.enum(words).meta({ id });
  return scalar({
    schema,
    read(text) {
      const parsed = schema.safeParse(text);
      if (parsed.success) return { value: parsed.data };
      const word = text.trim().toLowerCase();
      return {
        code: "unknown_value",
        expected: `one of ${words.join(", ")}`,
        note: Object.hasOwn(notes, word) ? notes[word] : undefined,
        value: shortened(text),
        ...suggested(suggest(word, words)),
        allowed: words,
      };
    },
  });
}
