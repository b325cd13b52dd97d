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

/**
 * The drills that changes of these files ask for, in the order of `names`, which are all drills. `paths`: as git prints them. A file that
 * several drills share asks for all but soak, which is for releases.
 */
export function drillsFor(paths: readonly string[], names: readonly string[]): string[] {
  const rows = asking();
  const ofFile = (path: string): readonly string[] => {
    const [, file] = /^tests\/drills\/(.+?)(?:\.test)?(?:\.ts)?$/.exec(path) ?? [];
    if (file === undefined) return [];
    return names.includes(file) ? [file] : names.filter((name) => name !== "soak");
  };
  const asked = paths.flatMap((path) => [
    ...ofFile(path),
    ...rows.flatMap(({ folder, drills }) => (path === folder || path.startsWith(`${folder}/`) ? drills : [])),
  ]);
  return names.filter((name) => asked.includes(name));
}
