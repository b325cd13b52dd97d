import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, type TestContext } from "vitest";

const run = promisify(execFile);
const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const INSTALL_MS = 120_000;
/** Shorter, so that a registry that does not answer leaves these tests out instead of failing them. */
const DOWNLOAD_MS = 90_000;
const KUBERNETES = "1.32";
const tools = mkdtempSync(join(tmpdir(), "tranche-checkers-"));
afterAll(() => rmSync(tools, { recursive: true }));

/** Leaves a test out and prints why. */
function leaveOut(context: TestContext, what: string, error: unknown): never {
  const reason = (error as Error).message.trim().split("\n")[0];
  console.log(`LEFT OUT: ${what}: ${reason}`);
  return context.skip(reason);
}

describe("the Kubernetes manifests", () => {
  const python = join(tools, "python");
  let missing: unknown;
  beforeAll(async () => {
    await run("python3", ["-m", "venv", python])
      .then(() =>
        run(join(python, "bin/pip"), ["install", "--quiet", "kubernetes-validate==1.37.0"], { timeout: DOWNLOAD_MS }),
      )
      .catch((error: unknown) => (missing = error));
  }, INSTALL_MS);

  async function validate(folder: string): Promise<string> {
    const { stdout } = await run("kubectl", ["kustomize", join(PROJECT, "infra/kubernetes", folder)]);
    const file = join(tools, `${folder}.yaml`);
    writeFileSync(file, stdout);
    const checked = await run(join(python, "bin/kubernetes-validate"), ["--strict", "-k", KUBERNETES, file]);
    return `${checked.stdout}${checked.stderr}`;
  }

  test.for(["base", "example"])(
    "of %s fit the schemas of Kubernetes",
    { timeout: INSTALL_MS },
    async (folder, context) => {
      if (missing) leaveOut(context, "Kubernetes manifests (no schema checker)", missing);
      await run("kubectl", ["version", "--client"]).catch((error: unknown) =>
        leaveOut(context, "Kubernetes manifests (no kubectl)", error),
      );
      const report = await validate(folder);
      for (const kind of [
        "deployment/tranche-api",
        "deployment/tranche-indexer",
        "horizontalpodautoscaler/tranche-indexer",
      ])
        expect(report).toContain(`passed for resource ${kind}`);
    },
  );
});

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
