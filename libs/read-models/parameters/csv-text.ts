import { choice } from "./kinds/choice.ts";
import { parameter, type Values } from "./parameter.ts";
import type { Problem } from "./problem.ts";

/** The parameter that chooses how texts stand in the cells of CSV. */
export const CSV_TEXT = Object.freeze({
  text: parameter({
    kind: choice(["guarded", "raw"]),
    description:
      "Texts in the cells of CSV. `guarded`: a text that a spreadsheet could take for a formula begins with an apostrophe. `raw`: every text as it is stored, for programs. Of CSV only.",
    example: "guarded",
    fallback: "guarded",
    unfiltered: true,
  }),
});

/** Whether the caller wants texts as they are stored. */
export const wantsRawText = ({ text }: Values): boolean => text === "raw";

/** The problem of `text=raw` in a request for another format than CSV; `how`: how to get CSV. */
export function textWithoutCsv(values: Values, format: string | undefined, how: string): Problem[] {
  if (!wantsRawText(values) || format === "csv") return [];
  const message = `'text' is about the cells of CSV, and this request is not for CSV. ${how}, or leave 'text' out.`;
  return [{ parameter: "text", code: "malformed_value", message, value: "raw" }];
}
