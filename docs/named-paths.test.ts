import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, matchesGlob } from "node:path";
import { describe, expect, test } from "vitest";
import { linkedFiles, pathsInCode } from "./named-paths.ts";

const project = join(import.meta.dirname, "..");
/** `npm run build` makes it, so a fresh clone has no such folder. */
const isBuilt = (path: string) => /^web\/dist(?:\/|$)/.test(path);
const outside = (path: string) => path.includes("node_modules");
const pages = globSync(["*.md", "{bench,data}/README.md", "docs/**/*.md"], { cwd: project });
const files = globSync(["{apps,data,docs,infra,libs,tests,tools,web}/**", ".*.ts", "*.ts"], {
  cwd: project,
  exclude: outside,
});

describe.each(pages)("%s", (page) => {
  const text = readFileSync(join(project, page), "utf8");

  test("names only paths that exist", () => {
    const named = pathsInCode(text).filter((path) => !isBuilt(path));
    const missing = named.filter((path) => !files.some((file) => matchesGlob(file, path)));
    expect(missing, "files that were moved or deleted").toEqual([]);
  });

  test("links only to files that exist", () => {
    const missing = linkedFiles(text).filter((target) => !existsSync(join(project, dirname(page), target)));
    expect(missing).toEqual([]);
  });
});

test("paths are read from inline code, with placeholders as globs", () => {
  const page =
    "`apps/<name>/main.ts`, `signals.ts`, `node infra/write.ts`, `tests/ops-*.test.ts`, `GET /api/v1/signals`, `n/a`";
  expect(pathsInCode(page)).toEqual(["apps/*/main.ts", "**/signals.ts", "infra/write.ts", "tests/ops-*.test.ts"]);
});

test("links to other sites and to parts of the same page are not files", () => {
  expect(linkedFiles("[a](docs/a.md#part) [b](https://example.com) [c](#part)")).toEqual(["docs/a.md"]);
});
