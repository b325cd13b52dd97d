import { z } from "zod";
import type { Problem } from "../../errors/catalogue.ts";
import { RAW_PLUS } from "../query-string.ts";

/**
 * A kind of parameter: a codec from the decoded text of the query string to the value, and back. Its value's schema is
 * what OpenAPI shows.
 */
export type Kind<T> = z.ZodType<T, string>;

/** For kinds that understand more than they pass on: the schema of what may be sent, for documentation. */
export const SENT = new WeakMap<z.ZodType, z.ZodType>();

/**
 * What a kind finds wrong with a text: a sentence, or what it expected, which is completed to one with the parameter's name.
 * `note` is another sentence.
 */
export type Complaint = Omit<Problem, "parameter" | "message"> &
  ({ message: string; expected?: undefined } | { expected: string; note?: string | undefined });

/** A complaint as a problem of the parameter with this name. */
export function problemOf(parameter: string, complaint: Complaint): Problem {
  if (complaint.expected === undefined) return { parameter, ...complaint };
  const { expected, note, code, ...rest } = complaint;
  const message = `${parameter} must be ${expected}.${note === undefined ? "" : ` ${note}`}`;
  return { parameter, code, message, ...rest };
}

/** Makes a kind of a function that reads the text, or says what is wrong with it. */
export function kind<T, I>(parts: {
  schema: z.ZodType<T, I>;
  read: (text: string) => { value: I } | { complaints: Complaint[] };
  write: (value: I) => string;
}): Kind<T> {
  return z.codec(z.string(), parts.schema, {
    decode(text, payload) {
      const outcome = parts.read(text);
      if ("value" in outcome) return outcome.value;
      for (const complaint of outcome.complaints) {
        payload.issues.push({ code: "custom", input: text, params: complaint });
      }
      return z.NEVER;
    },
    encode: parts.write,
  });
}

/** A kind of a single value: a raw `+` is a blank. */
export function scalar<T, I>(parts: {
  schema: z.ZodType<T, I>;
  read: (text: string) => { value: I } | Complaint;
  write?: (value: I) => string;
}): Kind<T> {
  return kind({
    schema: parts.schema,
    read(text) {
      const outcome = parts.read(text.replaceAll(RAW_PLUS, " "));
      return "code" in outcome ? { complaints: [outcome] } : outcome;
    },
    write: parts.write ?? String,
  });
}

/** Reads a text as this kind: its value, or all that is wrong with it. */
export function readKind<T>(of: Kind<T>, text: string): { value: T } | { complaints: Complaint[] } {
  const parsed = of.safeParse(text);
  if (parsed.success) return { value: parsed.data };
  return {
    complaints: parsed.error.issues.map((issue) =>
      issue.code === "custom" && issue.params
        ? (issue.params as Complaint)
        : { code: "malformed_value", message: issue.message, value: text.replaceAll(RAW_PLUS, " ") },
    ),
  };
}
