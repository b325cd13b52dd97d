import { LAYERS } from "../.dependency-cruiser.ts";

const BEGIN = "<!-- Made from .dependency-cruiser.ts by `npm run docs`. -->";
const END = "<!-- The end of the generated part. -->";

/** A page with the order of the folders between its two marks, as the linter enforces it now. */
export function withFolderOrder(page: string): string {
  const [head, rest] = page.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (tail === undefined)
    throw new Error(`The page lacks one of the marks that the table goes between: ${BEGIN} ${END}`);
  const rows = Object.entries(LAYERS).map(([root, folders]) => `| \`${root}\` | ${folders.join(" → ")} |`);
  const table = ["| in | folders, from the bottom up |", "| --- | --- |", ...rows].join("\n");
  return `${head}${BEGIN}\n\n${table}\n\n${END}${tail}`;
}
