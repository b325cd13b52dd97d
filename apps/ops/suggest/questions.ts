import type { Question } from "../mapping/schema.ts";

/** Answers by the id of their question; the id of a role, such as `amount`, takes a column or `none`. */
export type Answers = Readonly<Record<string, string>>;

/** Whether a text is an answer to a question. */
export const isAnswer = ({ answers, free }: Question, text: string): boolean =>
  Object.hasOwn(answers, text) || (free !== undefined && text.trim() !== "");
