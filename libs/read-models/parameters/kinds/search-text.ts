import { z } from "zod";
import { wordsOf } from "@tranche/shared/domain/text/words";
import { shortened } from "../query-string.ts";
import { type Complaint, type Kind, scalar, SENT } from "./kind.ts";

/** In characters. */
const MAX_LENGTH = 100;
/** A few letters, such as ligatures of whole phrases, are many words when their parts are written out. */
const MAX_WORDS = 50;

/** A name as people type it, or the beginning of one. The value is the text as sent, without blanks around it. */
export function searchText(): Kind<string> {
  const kind = scalar({
    // Not `max(100)`: it would count UTF-16 units.
    schema: z.string().min(1).meta({ maxLength: MAX_LENGTH }),
    read(text) {
      const asked = text.trim();
      return problemOf(asked) ?? { value: asked };
    },
  });
  SENT.set(
    kind,
    z
      .string()
      .min(1)
      .meta({
        maxLength: MAX_LENGTH,
        pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]*[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\xbf][^\x00-\x1f\x7f-\x9f]*$`,
      }),
  );
  return kind;
}

function problemOf(text: string): Complaint | undefined {
  const value = shortened(text);
  const length = Array.from(text).length;
  if (length > MAX_LENGTH) {
    const expected = `a name of at most ${MAX_LENGTH} characters; this text has ${length}`;
    return { code: "malformed_value", expected, value };
  }
  const words = wordsOf(text).length;
  if (words === 0) {
    const expected = `a name with at least one letter or digit; '${value}' has neither`;
    return { code: "malformed_value", expected, value };
  }
  if (words <= MAX_WORDS) return undefined;
  const expected = `a name of at most ${MAX_WORDS} words; this text has ${words}`;
  return { code: "malformed_value", expected, value };
}
