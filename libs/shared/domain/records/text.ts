import { z } from "zod";
import { keyOf, writtenKey } from "../text/key.ts";

/** Ids become Elasticsearch `_id`s, which have at most 512 bytes; some are followed by a key and a day. */
const MAX_ID_BYTES = 400;

/** A signal without an id is named by company, key and day. */
const MAX_SIGNAL_ID_BYTES = MAX_ID_BYTES + 50;

const MAX_SLUG_LENGTH = 500;

/** Not blank, not a format character, not a filler such as U+3164 or the empty Braille cell. */
const VISIBLE = /[^\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Most texts are, and need no other check of their characters. */
const PRINTABLE_ASCII = /^[!-~][ -~]*$/;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const LINE_BREAK = /[\n\v\f\r\u0085\p{Zl}\p{Zp}]/u;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** A text with something to see in it, at most `max` characters long; blanks around it are dropped. */
export const text = (max: number) =>
  z
    .string("expected a text")
    .trim()
    .check(reports((value) => emptiness(value) ?? brokenCharacter(value) ?? excess(value, max)));

/** As `text`, or null; a text that shows nothing is null too. `otherProblem`: what else can be wrong with it. */
export const optionalText = (max: number, otherProblem?: (value: string) => string | undefined) =>
  z
    .string("expected a text or null")
    .overwrite((value) => (emptiness(value) === undefined ? value.trim() : ""))
    .check(reports((value) => brokenCharacter(value) ?? excess(value, max) ?? (value && otherProblem?.(value))))
    .nullish()
    .transform((value) => value || null);

/** Taken as it is: ids that differ in a single byte are two ids, here and in Elasticsearch. */
const idOf = (maxBytes: number) =>
  z.string("expected a text").check(
    reports((value) => {
      const problem = emptiness(value) ?? brokenCharacter(value);
      if (problem) return problem;
      if (value !== value.trim()) return "begins or ends with a blank: remove it";
      const bytes = Buffer.byteLength(value);
      return bytes > maxBytes ? `is ${bytes} bytes long, at most ${maxBytes} are allowed: shorten it` : undefined;
    }),
  );

export const id = idOf(MAX_ID_BYTES);
export const signalId = idOf(MAX_SIGNAL_ID_BYTES);

/** Slugs are compared by key, so one without a key could never be looked up. */
export const slug = optionalText(MAX_SLUG_LENGTH, (value) =>
  keyOf(value) === "" ? "has no letter or digit: write one such as acme-labs, or leave it out" : undefined,
);

/** The slug of a record without one: the key of its name; where a name such as `🚀` has none, the key of its id. */
export function slugOf(name: string, recordId: string): string {
  const key = writtenKey(name) || writtenKey(recordId) || codePoints(recordId);
  return Array.from(key).slice(0, MAX_SLUG_LENGTH).join("");
}

/** Programs show addresses as links, so they have no sign-in and no character that ends an attribute of HTML. */
export const webAddress = optionalText(2000, (value) => {
  const authority = /^https?:\/\/([^/?#\\]*)/i.exec(value)?.[1];
  if (authority === undefined || !URL.canParse(value))
    return "expected an http(s) address, such as https://acme.example/news";
  if (authority.includes("@")) return "has a user name or a password before '@': remove them";
  const unsafe = /["<>`\\]/.exec(value)?.[0];
  if (unsafe !== undefined) return `has the character ${unsafe}: write it as ${percentEncoded(unsafe)}`;
  const { hostname } = new URL(value);
  return /^(?:[\w.-]+|\[[\da-f:.]+\])$/.test(hostname)
    ? undefined
    : `has '${hostname}' as its host: expected letters, digits, '-' and '.', such as acme.example`;
});

const percentEncoded = (ascii: string) => `%${ascii.charCodeAt(0).toString(16).toUpperCase()}`;

function emptiness(value: string): string | undefined {
  if (PRINTABLE_ASCII.test(value) || VISIBLE.test(value)) return undefined;
  return value === "" ? "must not be empty" : "must not be empty: it has only blanks or invisible characters";
}

function brokenCharacter(value: string): string | undefined {
  if (PRINTABLE_ASCII.test(value)) return undefined;
  if (!value.isWellFormed()) {
    const half = LONE_SURROGATE.exec(value)![0];
    return `has half a character (the lone surrogate ${shownCode(half)}): write the whole character or remove it`;
  }
  const found = CONTROL.exec(value)?.[0];
  if (found === undefined) return undefined;
  const what = LINE_BREAK.test(found) ? "a line break" : "a control character";
  return `has ${what} (${shownCode(found)}): remove it or write a space`;
}

function excess(value: string, max: number): string | undefined {
  // Characters are at most as many as UTF-16 units: texts are seldom long enough to be counted.
  if (value.length <= max) return undefined;
  const length = Array.from(value).length;
  return length > max ? `is ${length} characters long, at most ${max} are allowed: shorten it` : undefined;
}

const shownCode = (character: string) => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;

const codePoints = (value: string) =>
  Array.from(value, (character) => character.codePointAt(0)!.toString(16)).join("-");

/** A check of zod's that reports what `problemOf` finds. */
function reports<T>(problemOf: (value: T) => string | undefined) {
  return ({ value, issues }: z.core.ParsePayload<T>) => {
    const message = problemOf(value);
    if (message) issues.push({ code: "custom", message, input: value });
  };
}
