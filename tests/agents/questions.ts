import { readFileSync } from "node:fs";

/** A call of a tool. */
export type ToolCall = { name: string; arguments: object };

/**
 * How the result of a call is compared with that of the right one. `rows`: the same rows, in any order; of more than a page, as many rows in
 * all. `order`: as many rows in all, and the same ones at the top. `count`: as many rows in all. `groups`: the same groups with the same
 * counts. `first`: the same record at the top.
 */
export type Grading = "rows" | "order" | "count" | "groups" | "first";

export type Question = {
  question: string;
  level: "easy" | "hard";
  grade: Grading;
  /** A call that answers it. */
  call: ToolCall;
};

/** Questions about the showcase, in people's words. */
export const QUESTIONS = JSON.parse(
  readFileSync(new URL("./questions.json", import.meta.url), "utf8"),
) as readonly Question[];
