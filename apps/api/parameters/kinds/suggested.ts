import type { Problem } from "../../errors/catalogue.ts";

/** A suggestion, and the question that offers it; nothing where there is none. `shown` is how the question names it. */
export function suggested(
  suggestion: string | undefined,
  shown = `'${suggestion}'`,
): Pick<Problem, "suggestion" | "hint"> {
  return suggestion === undefined ? {} : { suggestion, hint: `Did you mean ${shown}?` };
}
