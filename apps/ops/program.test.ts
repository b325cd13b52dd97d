import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const versionOf = (path: string) =>
  JSON.parse(readFileSync(join(root, path), "utf8")) as { version: string; dependencies: Record<string, string> };

/** Runs `ops` without any engine; a hook prints every module that is loaded to standard error. */
async function ops(...args: string[]): Promise<{ out: string; packages: string[] }> {
  const hook = `import { registerHooks } from "node:module";
    registerHooks({ load(url, context, next) { console.error("loaded " + url); return next(url, context); } });`;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, join(import.meta.dirname, "main.ts"), ...args],
    { env: { ...process.env, NO_COLOR: "1" } },
  );
  const named = [...stderr.matchAll(/^loaded .*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map(([, name]) => name!);
  return { out: stdout, packages: [...new Set(named)] };
}

const DEPENDENCIES = ["apps/ops/package.json", "libs/shared/package.json"].flatMap((path) =>
  Object.keys(versionOf(path).dependencies),
);
/** Small libraries that draw help and tables. */
const LIGHT = ["cli-table3", "commander"];

describe("help is quick: it loads no client and no schema", () => {
  test.each([["--help"], ["status", "--help"], ["ingest", "--help"], ["keys", "rotate", "--help"]])(
    "ops %s %s %s",
    async (...args) => {
      const { out, packages } = await ops(...args.filter((arg) => typeof arg === "string"));
      expect(out).toContain("Usage: ops");
      expect(packages).toContain("commander");
      expect(packages.filter((name) => DEPENDENCIES.includes(name) && !LIGHT.includes(name))).toEqual([]);
    },
  );
});

test("--version prints the version of package.json", async () => {
  expect((await ops("--version")).out.trim()).toBe(versionOf("package.json").version);
});
