import { z } from "zod";
import { closest } from "@tranche/shared/domain/text/closest";
import { shortened } from "../query-string.ts";
import { type Complaint, type Kind, kind } from "./kind.ts";
import { repeatable } from "./list.ts";
import { splitItems } from "./split-list.ts";
import { suggested } from "./suggested.ts";

const MAX_DIMENSIONS = 2;

/** One or two different words, separated by a comma: the dimensions by which rows are grouped. `name`: of the words, in OpenAPI. */
export function dimensions(words: readonly [string, ...string[]], name: string): Kind<string[]> {
  const unknown = (item: string): Complaint => {
    const value = shortened(item);
    const near = closest(item.toLowerCase(), words);
    return {
      code: "unknown_value",
      message: `Rows can't be grouped by '${value}'. Use ${words.join(", ")}.`,
      value,
      ...suggested(near),
      allowed: words,
    };
  };
  const made = kind<string[], string[]>({
    schema: z
      .array(z.enum(words).meta({ id: name }))
      .min(1)
      .max(MAX_DIMENSIONS)
      .meta({ uniqueItems: true }),
    read(text) {
      const split = splitItems(text, { exclusion: false });
      if ("code" in split) return { complaints: [split] };
      const items = split.items.map((item) => item.text);
      const strange = items.filter((item) => !words.includes(item));
      if (strange.length > 0) return { complaints: strange.map(unknown) };
      const twice = items.find((item, n) => items.indexOf(item) < n);
      if (twice !== undefined) {
        const message = `Rows are grouped by '${twice}' twice. Name each dimension once.`;
        return { complaints: [{ code: "malformed_value", message, value: twice }] };
      }
      if (items.length > MAX_DIMENSIONS) {
        const message = `Rows can be grouped by at most ${MAX_DIMENSIONS} dimensions, not by ${items.length}.`;
        return { complaints: [{ code: "too_many_items", message, value: items.length }] };
      }
      return { value: items };
    },
    write: (items) => items.join(","),
  });
  return repeatable(made);
}
