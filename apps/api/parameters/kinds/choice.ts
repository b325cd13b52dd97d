import { z } from "zod";
import { closest } from "@tranche/shared/text/closest";
import { shortened } from "../query-string.ts";
import { type Kind, scalar } from "./kind.ts";

/** One of a few words, written exactly. */
export function choice<const T extends string>(words: readonly [T, ...T[]]): Kind<T> {
  const schema = z.enum(words);
  return scalar({
    schema,
    read(text) {
      const parsed = schema.safeParse(text);
      if (parsed.success) return { value: parsed.data };
      const suggestion = closest(text.trim().toLowerCase(), words);
      return {
        code: "unknown_value",
        message: `Expected one of ${words.join(", ")}.`,
        value: shortened(text),
        ...(suggestion ? { suggestion } : {}),
        allowed: words,
      };
    },
  });
}
