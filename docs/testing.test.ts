import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { DRILLS } from "../tests/drills/all.ts";
import { TEST_FILES } from "../tests/drills/test-files.ts";

const project = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(project, path), "utf8");
const found = (pattern: string) => globSync(pattern, { cwd: project }).sort();

/** The cells of the tables under a heading of docs/testing.md, row by row. */
function rowsUnder(heading: string): string[][] {
  const [, section] = read("docs/testing.md").split(`## ${heading}\n`);
  const lines = section!.split("\n## ")[0]!.split("\n");
  const cells = lines.filter((line) => line.startsWith("| ")).map((line) => line.slice(2, -2).split(" | "));
  // Below the titles and the line under them.
  return cells.slice(2);
}

const programs = DRILLS.map(({ name }) => name);
const names = [...programs, ...TEST_FILES.map(({ name }) => name)];
const folders = rowsUnder("Which drills before a change lands");

describe("docs/testing.md", () => {
  test("has a row for each test file of npm test", () => {
    const rows = rowsUnder("The files of `npm test`").map(([files]) => files);
    expect(found("tests/*.test.ts").filter((path) => !rows.join("\n").includes(`\`${path}\``))).toEqual([]);
  });

  test("has a row for each drill that is a test file", () => {
    const rows = rowsUnder("The drills that are test files").map(([name, file]) => `${name} ${file}`);
    expect(rows).toEqual(TEST_FILES.map(({ name }) => `\`${name}\` \`tests/drills/${name}.test.ts\``));
  });

  test("names only drills that exist, and proves something by each", () => {
    const proving = rowsUnder("Where each promise is proved").flatMap(([, , drills]) => drills!.split(", "));
    const asked = folders.flatMap(([, drills]) => drills!.split(", ")).filter((name) => name !== "the drill itself");
    expect([...proving, ...asked].filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => !proving.includes(name))).toEqual([]);
  });

  test("asks for drills in the folders that the workflow watches", () => {
    const workflow = parse(read(".github/workflows/drills.yml")) as { on: { pull_request: { paths: string[] } } };
    const watched = workflow.on.pull_request.paths.map((path) => `\`${path.replace("/**", "")}\``);
    expect(folders.map(([folder]) => folder!).sort()).toEqual(watched.sort());
  });
});

test("each drill has a name of its own, and docs/drills.md a row for each that is a program", () => {
  expect(new Set(names).size).toBe(names.length);
  expect(programs.filter((name) => !read("docs/drills.md").includes(`| ${name} | `) && name !== "time")).toEqual([]);
});

test("each test file of tests/drills is in the list of drills", () => {
  const files = found("tests/drills/*.test.ts").map((path) => basename(path, ".test.ts"));
  expect(TEST_FILES.map(({ name }) => name).sort()).toEqual(files.sort());
});

test("vitest begins with files that exist", () => {
  const longest = read("vitest.config.ts").match(/tests\/[\w/-]+\.test\.ts/g)!;
  expect(longest.filter((path) => !found("tests/**/*.test.ts").includes(path))).toEqual([]);
});
