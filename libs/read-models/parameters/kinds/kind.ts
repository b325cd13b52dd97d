import { z } from "zod";
import type { Problem } from "../problem.ts";
import { RAW_PLUS } from "../query-string.ts";

/**
 * A kind of parameter: a codec between the decoded text of the query string and the value. OpenAPI shows the schema of the value.
 */
export type Kind<T> = z.ZodType<T, string>;

/** For the docs: the schemas of the accepted texts, for kinds that accept more texts than their values show. */
export const SENT = new WeakMap<z.ZodType, z.ZodType>();
/** For the docs: the schemas of values in `filters_applied`, for kinds that show them otherwise. */
export const SHOWN = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The problem that a kind finds in a text: a whole sentence in `message`, or a phrase in `expected` that `problemOf` completes with
 * the parameter's name. `note` is a second sentence.
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

/** Makes a kind from a function that reads the text and returns its value or its problems. */
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

/** A kind with a single value. A raw `+` is a blank. */
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

/** Reads a text as this kind: its value, or all its problems. */
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
