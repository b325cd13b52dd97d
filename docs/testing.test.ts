import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { DRILLS } from "../tests/drills/all.ts";
import { asking, drillsFor, rowsUnder } from "../tests/drills/asked-for.ts";
import { TEST_FILES } from "../tests/drills/test-files.ts";

const project = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(project, path), "utf8");
const found = (pattern: string) => globSync(pattern, { cwd: project }).sort();

const programs = DRILLS.map(({ name }) => name);
const names = [...programs, ...TEST_FILES.map(({ name }) => name)];
const folders = asking();

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
    const asked = folders.flatMap(({ drills }) => drills).filter((name) => !name.startsWith("the drill itself"));
    expect([...proving, ...asked].filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => !proving.includes(name))).toEqual([]);
  });

  test("asks for drills in the folders that the workflow watches", () => {
    const workflow = parse(read(".github/workflows/drills.yml")) as { on: { pull_request: { paths: string[] } } };
    const watched = workflow.on.pull_request.paths.map((path) => path.replace("/**", ""));
    expect(folders.map(({ folder }) => folder).sort()).toEqual(watched.sort());
  });
});

describe("before a change lands", () => {
  test("each room of the code asks for drills, and each drill but soak is asked for by one", () => {
    const rooms = [...found("apps/*"), "data", "docs", "infra", "libs", "tools", "web"];
    expect(rooms.filter((room) => !folders.some(({ folder }) => folder === room))).toEqual([]);
    const asked = folders.flatMap(({ drills }) => drills);
    expect(names.filter((name) => name !== "soak" && !asked.includes(name))).toEqual([]);
  });

  test("the drills are those of the changed folders, and those that changed themselves", () => {
    expect(drillsFor(["data/README.md", "", "README.md"], names)).toEqual(["sample"]);
    expect(drillsFor(["web/dashboard/main.tsx", "tests/drills/greedy.ts"], names)).toEqual(["greedy", "page-speed"]);
    expect(drillsFor(["package-lock.json", "tests/drills/leader.test.ts"], names)).toEqual([
      "leader",
      "start",
      "production-install",
    ]);
    expect(drillsFor(["database/x.ts"], names)).toEqual([]);
    const allButSoak = names.filter((name) => name !== "soak");
    for (const shared of ["tests/drills/engines.ts", "tests/drills/sample-parts/names.ts"])
      expect(drillsFor([shared], names)).toEqual(allButSoak);
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
