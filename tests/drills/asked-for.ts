import { readFileSync } from "node:fs";

const TESTING = new URL("../../docs/testing.md", import.meta.url);

/** The cells of the tables under a heading of docs/testing.md, row by row. */
export function rowsUnder(heading: string): string[][] {
  const [, section] = readFileSync(TESTING, "utf8").split(`## ${heading}\n`);
  const lines = section!.split("\n## ")[0]!.split("\n");
  const cells = lines.filter((line) => line.startsWith("| ")).map((line) => line.slice(2, -2).split(" | "));
  // Below the titles and the line under them.
  return cells.slice(2);
}

/** The folders, and files, whose changes ask for drills, each with those. */
export const asking = (): { folder: string; drills: string[] }[] =>
  rowsUnder("Which drills before a change lands").map(([folder, drills]) => ({
    folder: folder!.replaceAll("`", ""),
    drills: drills!.split(", "),
  }));

/** The name of a drill by a file of `tests/drills`. */
const ofFile = (path: string): string | undefined => /^tests\/drills\/([\w-]+?)(\.test)?\.ts$/.exec(path)?.[1];

/** The drills that changes of these files ask for, those among `names` alone. `paths`: as git prints them. */
export function drillsFor(paths: readonly string[], names: readonly string[]): string[] {
  const rows = asking();
  const asked = paths.flatMap((path) => [
    ofFile(path),
    ...rows.flatMap(({ folder, drills }) => (path === folder || path.startsWith(`${folder}/`) ? drills : [])),
  ]);
  return names.filter((name) => asked.includes(name));
}
