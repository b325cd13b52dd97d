import type { Answers } from "./look.ts";

/** The answers with further ones. One that the server refused is left out: its message begins with it, as `ID=ANSWER: `. */
export function withAnswers(last: Answers, further: Answers, refusal?: string): Answers {
  const kept = Object.entries(last).filter(([id, answer]) => refusal?.startsWith(`${id}=${answer}: `) !== true);
  return { ...Object.fromEntries(kept), ...further };
}

/** The answers without that to one question. */
export const withoutAnswer = (last: Answers, id: string): Answers =>
  Object.fromEntries(Object.entries(last).filter(([each]) => each !== id));
