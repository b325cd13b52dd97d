import type { Problem } from "../problem.ts";

/** The fields of a problem that offer a suggestion, none without one. `shown` names the suggestion in the question. */
export function suggested(
  suggestion: string | undefined,
  shown = `'${suggestion}'`,
): Pick<Problem, "suggestion" | "hint"> {
  return suggestion === undefined ? {} : { suggestion, hint: `Did you mean ${shown}?` };
}
