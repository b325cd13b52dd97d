import { z } from "zod";
import { shortened } from "../query-string.ts";
import { type Kind, scalar } from "./kind.ts";

/** Yes or no. In any case, because some languages write a boolean as `True`. */
export function flag(): Kind<boolean> {
  return scalar({
    schema: z.boolean(),
    read(text) {
      const word = text.toLowerCase();
      if (word === "true" || word === "false") return { value: word === "true" };
      return { code: "unknown_value", expected: "true or false", value: shortened(text), allowed: ["true", "false"] };
    },
  });
}
