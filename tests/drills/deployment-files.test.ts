import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { leaveOut } from "./leave-out.ts";

const run = promisify(execFile);
const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const INSTALL_MS = 120_000;
/** Shorter, so that a registry that does not answer leaves these tests out instead of failing them. */
const DOWNLOAD_MS = 90_000;
const tools = mkdtempSync(join(tmpdir(), "tranche-checkers-"));
afterAll(() => rmSync(tools, { recursive: true }));

describe("the workflows of GitHub Actions", () => {
  const checker = join(tools, "workflow");
  let missing: unknown;
  beforeAll(async () => {
    mkdirSync(checker);
    const packages = ["@action-validator/core@0.6.0", "@action-validator/cli@0.6.0"];
    await run("npm", ["install", "--prefix", checker, "--no-save", "--ignore-scripts", ...packages], {
      timeout: DOWNLOAD_MS,
    }).catch((error: unknown) => (missing = error));
  }, INSTALL_MS);
  const validate = (file: string) => run(join(checker, "node_modules/.bin/action-validator"), [file]);

  test("fit the schema, and the checker refuses one that does not", { timeout: INSTALL_MS }, async (context) => {
    if (missing) leaveOut(context, "GitHub Actions (no schema checker)", missing);
    for (const name of ["ci", "drills", "release"]) await validate(join(PROJECT, `.github/workflows/${name}.yml`));
    const wrong = join(tools, "wrong.yml");
    writeFileSync(wrong, "on: push\njobs: { check: { steps: [] } }\n");
    await expect(validate(wrong)).rejects.toThrow();
  });
});

test("the alerts of Prometheus fire in the cases of alerts.cases.yaml", async (context) => {
  await run("promtool", ["--version"]).catch((error: unknown) => leaveOut(context, "alerts (no promtool)", error));
  await run("promtool", ["test", "rules", join(PROJECT, "infra/prometheus/alerts.cases.yaml")]);
});
