import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cruise, type IReporterOutput } from "dependency-cruiser";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import rules from "../.dependency-cruiser.ts";
import { withFolderOrder } from "../docs/folder-order.ts";

const PROJECT = fileURLToPath(new URL("../", import.meta.url));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tranche-architecture-"));
  symlinkSync(join(PROJECT, "node_modules"), join(folder, "node_modules"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Names of the rules that a tree of files, path to text, breaks. */
async function broken(files: Record<string, string>): Promise<string[]> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { options, ...ruleSet } = rules;
  const result = await cruise([...new Set(Object.keys(files).map((path) => path.split("/")[0]!))], {
    ...options,
    baseDir: folder,
    ruleSet,
    validate: true,
  });
  const { output } = result as IReporterOutput & { output: { summary: { violations: { rule: { name: string } }[] } } };
  return [...new Set(output.summary.violations.map(({ rule }) => rule.name))];
}

const NOTHING = "export const nothing = 0;\n";
const importing = (path: string): string => `import { nothing } from "${path}";\nexport const more = nothing;\n`;

const PAGES = "pages import only types from apps and libs";
const FILE_CYCLE = "no cycle of files";
const FOLDER_CYCLE = "no cycle of folders";
const NO_CLIENT = "pure folders use no client";
const SEARCH_CLIENT_TYPES = "pure folders use only types of the search client";

/** An import that a rule refuses: what it is, the file, what it imports, a file that exists, and the rule. */
const IMPORTS = [
  [
    "an app that imports an app by a relative path",
    "apps/api/routes/a.ts",
    "../../indexer/write/b.ts",
    "apps/indexer/write/b.ts",
    "no app imports an app",
  ],
  ["a new app that does", "apps/dashboard/a.ts", "../api/errors/b.ts", "apps/api/errors/b.ts", "no app imports an app"],
  [
    "an app that imports a tool",
    "apps/ops/context/a.ts",
    "../../../tools/local-engines/b.ts",
    "tools/local-engines/b.ts",
    "apps and libs import only libs",
  ],
  [
    "the release, which imports local engines",
    "infra/release/a.ts",
    "../../tools/local-engines/b.ts",
    "tools/local-engines/b.ts",
    "only the start, tests and tools import local engines",
  ],
  [
    "an app that imports a drill",
    "apps/ops/context/a.ts",
    "../../../tests/drills/b.ts",
    "tests/drills/b.ts",
    "apps and libs import only libs",
  ],
  [
    "a library that imports one above it",
    "libs/shared/domain/text/a.ts",
    "../../../read-models/query/b.ts",
    "libs/read-models/query/b.ts",
    "libraries: shared",
  ],
  [
    "an app that imports the generator of the docs",
    "apps/ops/context/a.ts",
    "../../../docs/b.ts",
    "docs/b.ts",
    "apps and libs import only libs",
  ],
  [
    "a pure folder that imports infra",
    "apps/api/query/a.ts",
    "../../../infra/b.ts",
    "infra/b.ts",
    "apps and libs import only libs",
  ],
  [
    "a library that imports an app",
    "libs/shared/domain/text/a.ts",
    "../../../../apps/api/errors/b.ts",
    "apps/api/errors/b.ts",
    "libs import no app",
  ],
  [
    "a folder that imports one above it",
    "apps/api/query/a.ts",
    "../routes/b.ts",
    "apps/api/routes/b.ts",
    "layers: apps/api/query",
  ],
  [
    "a room that does",
    "libs/shared/domain/text/a.ts",
    "../../engines/search/b.ts",
    "libs/shared/engines/search/b.ts",
    "layers: libs/shared/domain",
  ],
  [
    "a room's folder that does",
    "libs/shared/domain/text/a.ts",
    "../records/b.ts",
    "libs/shared/domain/records/b.ts",
    "layers: libs/shared/domain/text",
  ],
  [
    "a folder that imports a file beside it",
    "apps/api/query/a.ts",
    "../main.ts",
    "apps/api/main.ts",
    "layers: apps/api folders do not import the files beside them",
  ],
  [
    "a folder without a place",
    "apps/api/newcomer/a.ts",
    "../errors/b.ts",
    "apps/api/errors/b.ts",
    "layers: apps/api has a place for every folder",
  ],
  [
    "an import that does not resolve",
    "apps/api/query/a.ts",
    "./missing.ts",
    "apps/api/query/b.ts",
    "every import resolves",
  ],
  ["a page that imports a value", "web/a.ts", "../libs/shared/domain/text/b.ts", "libs/shared/domain/text/b.ts", PAGES],
] as const;

describe("the architecture's rules refuse", () => {
  test.each(IMPORTS)("%s", async (_, file, path, target, rule) => {
    expect(await broken({ [file]: importing(path), [target]: NOTHING })).toContain(rule);
  });

  test("a cycle of files that only a type closes", async () => {
    const files = {
      "apps/api/query/a.ts": `import type { B } from "./b.ts";\nexport type A = B | 1;\n`,
      "apps/api/query/b.ts": `import type { A } from "./a.ts";\nexport type B = A[];\n`,
    };
    expect(await broken(files)).toEqual([FILE_CYCLE]);
  });

  test("a cycle of folders whose files form none", async () => {
    const files = {
      "infra/start/a.ts": NOTHING,
      "apps/new/one/a.ts": importing("../two/a.ts"),
      "apps/new/two/a.ts": NOTHING,
      "apps/new/two/b.ts": importing("../one/b.ts"),
      "apps/new/one/b.ts": NOTHING,
    };
    expect(await broken(files)).toEqual([FOLDER_CYCLE]);
  });

  test.each(["ioredis", "bullmq", "koa", "node:fs", "node:child_process"])("%s in a pure folder", async (client) => {
    expect(
      await broken({ "apps/indexer/derive/a.ts": `import client from "${client}";\nexport default client;\n` }),
    ).toEqual([NO_CLIENT]);
  });

  test("the search client in a pure folder, but for its types", async () => {
    const value = `import { Client } from "@elastic/elasticsearch";\nexport default Client;\n`;
    const type = `import type { estypes } from "@elastic/elasticsearch";\nexport type Query = estypes.QueryDslQueryContainer;\n`;
    expect(await broken({ "apps/api/query/a.ts": type })).toEqual([]);
    expect(await broken({ "apps/api/query/a.ts": value })).toEqual([SEARCH_CLIENT_TYPES]);
  });
});

test("they accept a page that imports a type", async () => {
  const type = { "libs/shared/domain/text/b.ts": "export type B = 1;\n" };
  const page = `import type { B } from "../libs/shared/domain/text/b.ts";\nexport type A = B;\n`;
  expect(await broken({ ...type, "web/a.ts": page })).toEqual([]);
});

test("each kind of rule is broken by a case here", () => {
  const kindOf = (rule: string) => rule.replace(/^(layers|libraries): \S+/, "$1:");
  const shown = [...IMPORTS.map(([, , , , rule]) => rule), FILE_CYCLE, FOLDER_CYCLE, NO_CLIENT, SEARCH_CLIENT_TYPES];
  const kinds = new Set(rules.forbidden!.map(({ name }) => kindOf(name!)));
  expect(new Set(shown.map(kindOf))).toEqual(kinds);
});

test("only main files and tests read the environment", () => {
  cpSync(join(PROJECT, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
  const files = [
    "apps/api/query/a.ts",
    "libs/shared/domain/text/a.ts",
    "infra/a.ts",
    "apps/api/main.ts",
    "infra/a.test.ts",
  ];
  for (const path of files) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), "export const home = process.env.HOME;\n");
  }
  const { stdout } = spawnSync("node_modules/.bin/oxlint", ["--format", "json", ...files], {
    cwd: folder,
    encoding: "utf8",
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  const refused = diagnostics.filter(({ code }) => code.includes("no-process-env")).map(({ filename }) => filename);
  expect(refused.toSorted()).toEqual(["apps/api/query/a.ts", "infra/a.ts", "libs/shared/domain/text/a.ts"]);
});

test("they accept imports of folders below, of libraries and of packages", async () => {
  const files = {
    "apps/api/routes/a.ts": importing("../query/b.ts"),
    "apps/api/query/b.ts": importing("../../../libs/shared/domain/text/c.ts"),
    "libs/shared/domain/text/c.ts": `import { z } from "zod";\nexport const nothing = z.string();\n`,
  };
  expect(await broken(files)).toEqual([]);
});

test("docs/architecture.md shows the order of the folders: `npm run docs` brings it up to date", () => {
  const page = readFileSync(join(PROJECT, "docs/architecture.md"), "utf8");
  expect(page).toBe(withFolderOrder(page));
});
