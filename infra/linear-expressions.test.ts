import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The output of `npm run lint` for a source text. */
function lint(source: string): { code: number | null; rules: string[] } {
  const folder = mkdtempSync(join(tmpdir(), "tranche-lint-"));
  try {
    writeFileSync(join(folder, "source.ts"), source);
    const { status, stdout } = spawnSync(
      join(ROOT, "node_modules/.bin/oxlint"),
      ["--config", join(ROOT, ".oxlintrc.json"), "--format", "json", join(folder, "source.ts")],
      { encoding: "utf8" },
    );
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
    return { code: status, rules: diagnostics.map(({ code }) => code) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each([
  ["tried from each of many blanks", String.raw`/[\s\0]+$/g`, "regexp(no-super-linear-move)"],
  [
    "made of a text with a constant in it",
    'new RegExp(`^[\\\\s${BLANK}]+|[\\\\s${BLANK}]+$`, "g")',
    "regexp(no-super-linear-move)",
  ],
  ["of two parts that can share what they match", String.raw`/^\d*\.?\d*$/`, "regexp(no-super-linear-backtracking)"],
  ["of two branches that match the same", "/^(?:a|a)+$/", "regexp(no-dupe-disjunctions)"],
])("the linter refuses an expression %s", { timeout: 60_000 }, (_, expression, rule) => {
  const { code, rules } = lint(`const BLANK = "_";\nexport const it = [BLANK, ${expression}];\n`);
  expect(rules).toEqual([rule]);
  expect(code).toBe(1);
});

test("the linter lets expressions pass that take linear time", { timeout: 60_000 }, () => {
  expect(lint(String.raw`export const it = [/^[\s\0]+/, /^\d*(?:\.\d*)?$/, /^(?:a|b)+$/];`)).toEqual({
    code: 0,
    rules: [],
  });
});
