import { readFileSync } from "node:fs";

/** A call of a tool. */
export type ToolCall = { name: string; arguments: object };

/**
 * How the result of a call is compared with that of the right one, if both are about the same kind of record. `rows`: as many rows in all, and
 * each one that is shown is among the right ones. `order`: as many in all, and those that are shown, two at least, are the right ones from
 * the top. `count`: as many in all, of a list or of statistics. `groups`: the same groups with the same counts, in any order. `figures`: the
 * figures of statistics, over everything or of one group. `first`: the same record at the top, with as much about it at least.
 */
export type Grading = "rows" | "order" | "count" | "groups" | "figures" | "first";

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
