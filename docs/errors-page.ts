import { ERRORS, PROBLEMS } from "../apps/api/errors/catalogue.ts";

const BEGIN = "<!-- Made from apps/api/errors/catalogue.ts by `npm run docs`. -->";
const END = "<!-- The end of the generated part. -->";

/**
 * A page with every error between its two marks, as the catalogue has it now. Each code is a heading, because `doc_url` of an error
 * leads to it.
 */
export function withErrors(page: string): string {
  const [head, rest] = page.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (tail === undefined)
    throw new Error(`The page lacks one of the marks that the errors go between: ${BEGIN} ${END}`);
  return `${head}${BEGIN}\n\n${errors()}\n\n${problems()}\n\n${END}${tail}`;
}

function errors(): string {
  const sections = Object.entries(ERRORS).map(
    ([code, { status, meaning, remedy }]) => `### ${code}\n\n**Status ${status}.** ${meaning}\n\nWhat to do: ${remedy}`,
  );
  return ["## All codes", ...sections].join("\n\n");
}

function problems(): string {
  const rows = Object.entries(PROBLEMS).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  return ["## Codes in `details`", "", "| code | meaning |", "| --- | --- |", ...rows].join("\n");
}
