import { z } from "zod";
import { closest } from "@tranche/shared/domain/text/closest";
import { shortened } from "../query-string.ts";
import { plainList } from "./list.ts";
import type { Kind } from "./kind.ts";
import { suggested } from "./suggested.ts";

/** Some of a few words, written exactly. `noun`: the name for one of them. */
export function wordList<const T extends string>(noun: string, words: readonly [T, ...T[]]): Kind<T[]> {
  const known: readonly string[] = words;
  const made = plainList({
    item: z.enum(words),
    read(text) {
      if (known.includes(text)) return { key: text, value: text };
      const value = shortened(text);
      const message = `Unknown ${noun} '${value}'. Known: ${words.join(", ")}.`;
      const suggestion = suggested(closest(text.toLowerCase(), words));
      return { code: "unknown_value", message, value, ...suggestion, allowed: words };
    },
  });
  // Only words pass `read`.
  return made as Kind<T[]>;
}
