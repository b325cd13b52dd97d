import type { HttpError } from "@tranche/http/errors/http-error";
import type { Problem } from "@tranche/read-models/parameters/problem";
import { escapedJson } from "./escaped.ts";
import { writeResult } from "./result.ts";

/** More of them would be read by nobody, and `allowed` may be long. */
const MAX_PROBLEMS = 10;
const MAX_ALLOWED = 100;

/** A refusal as the result of a tool, in JSON, with the text of the API. `cost`: requests of the quota. */
export function errorResult(error: HttpError<string, Problem>, cost: number): string {
  const details = error.details?.slice(0, MAX_PROBLEMS) ?? [];
  const seconds = error.headers["Retry-After"];
  // The message has the number of problems, and the first of them.
  const text = [
    `${error.code}: ${error.message}`,
    ...details.slice(1).map(sentence),
    ...(seconds === undefined ? [] : [`Try again after ${seconds} s.`]),
  ].join(" ");
  const shown = details.map(({ allowed, ...problem }) => ({
    ...problem,
    // As in the body of an error, where the suggestion stands apart.
    hint: undefined,
    ...(allowed === undefined ? {} : { allowed: allowed.slice(0, MAX_ALLOWED) }),
  }));
  const members = {
    error: {
      code: error.code,
      message: error.message,
      ...(shown.length > 0 ? { details: shown } : {}),
      ...(seconds === undefined ? {} : { retry_after_seconds: Number(seconds) }),
    },
    cost,
  };
  return writeResult({ isError: true, text: escapedJson(text), structured: escapedJson(JSON.stringify(members)) });
}

const sentence = ({ message, hint }: Problem): string => (hint === undefined ? message : `${message} ${hint}`);
