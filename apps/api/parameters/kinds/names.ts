import { z } from "zod";
import { keyOf } from "@tranche/shared/text/key";
import { technologyKey } from "@tranche/shared/technologies/technology";
import { shortened } from "../query-string.ts";
import { list } from "./list.ts";
import { type Kind, SENT } from "./kind.ts";

// Not `max(100)`: it would count UTF-16 units, and items are measured in characters.
const item = z.string().min(1).meta({ maxLength: 100 });
/** An item of a list without quotes around it. It must also have a letter or a digit. */
const unquoted = item.meta({ maxLength: 100, pattern: String.raw`^[^",\x00-\x1f\x7f-\x9f]*$` });
const sent = z.array(unquoted).min(1).max(50);

/** Names, slugs or aliases from an open vocabulary. The value is the text as sent; comparisons use its key. */
export function names(): Kind<string[]> {
  return documentedAs(sent, list(item, named(keyOf)));
}

/** Names of technologies. The value is the text as sent; comparisons use the key of the technology. */
export function technologies(): Kind<string[]> {
  return documentedAs(sent, list(item, named(technologyKey)));
}

function documentedAs(schema: z.ZodType, kind: Kind<string[]>): Kind<string[]> {
  SENT.set(kind, schema);
  return kind;
}

const named = (keyOfName: (text: string) => string) => (text: string) => {
  const key = keyOfName(text);
  if (key !== "") return { key, value: text };
  const message = `'${shortened(text)}' has neither a letter nor a digit.`;
  return { code: "malformed_value" as const, message, value: shortened(text) };
};
