import { execFile, execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";

const main = join(import.meta.dirname, "main.ts");
const folder = mkdtempSync(join(tmpdir(), "tranche-release-"));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (file: string, content: string | object) =>
  writeFileSync(join(folder, file), typeof content === "string" ? content : JSON.stringify(content));
const read = (file: string) => readFileSync(join(folder, file), "utf8");
const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", EMAIL: "release@tranche.example" };
const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8", env }).trim();
const release = (...args: string[]) =>
  spawnSync(process.execPath, [main, ...args], { cwd: folder, encoding: "utf8", env });
const minor = () => promisify(execFile)(process.execPath, [main, "minor"], { cwd: folder, env });
const TAG_EXISTS = "The tag v0.2.0 exists. Run git pull, then try again.";

/** It runs npm, whose start takes seconds on a busy machine. */
const WITHIN_MS = 60_000;

test(
  "a release changes versions and changelog, commits and tags; what could go wrong is refused before",
  { timeout: WITHIN_MS },
  async () => {
    mkdirSync(join(folder, "libs/one"), { recursive: true });
    write("package.json", { name: "all", version: "0.1.0", workspaces: ["libs/*"] });
    write("libs/one/package.json", { name: "one", version: "0.1.0" });
    mkdirSync(join(folder, "infra/kubernetes/example"), { recursive: true });
    write("infra/kubernetes/Chart.yaml", "apiVersion: v2\nversion: 0.1.0\nappVersion: 0.1.0\n");
    write("infra/kubernetes/example/kustomization.yaml", "images:\n  - name: tranche\n    newTag: 0.1.0\n");
    write("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n### Upgrading\n\n- Nothing.\n");
    write("package-lock.json", { name: "all", version: "0.1.0", lockfileVersion: 3, packages: {} });
    git("init", "--quiet");
    expect(release("minor").stderr).toMatch(/^Commit or stash these first.*\n\?\? CHANGELOG\.md/);
    git("add", ".");
    git("commit", "--quiet", "--message", "First");

    expect(release().stderr).toContain("Say which part of the version grows");
    expect(release("--dry-run").stdout).toMatch(/^Would release 0\.2\.0 [^]*- Nothing\.\n$/);
    git("tag", "v0.2.0");
    expect(release("minor").stderr).toContain(TAG_EXISTS);
    git("tag", "--delete", "v0.2.0");

    const hook = join(folder, ".git/hooks/pre-commit");
    writeFileSync(hook, "#!/bin/sh\nexit 1\n");
    chmodSync(hook, 0o755);
    expect(release("minor").status, "what breaks off in the middle").toBe(1);
    rmSync(hook);
    expect(git("log", "--all", "--format=%s")).toBe("First");
    expect([git("status", "--porcelain"), git("tag", "--list"), git("worktree", "list").split("\n")]).toEqual([
      "",
      "",
      [expect.stringContaining(folder)],
    ]);

    const two = await Promise.allSettled([minor(), minor()]);
    const [made, refused] = two.toSorted(({ status: a }, { status: b }) => a.localeCompare(b));
    expect(made).toMatchObject({ value: { stdout: expect.stringContaining("git push --atomic origin HEAD v0.2.0") } });
    expect(refused).toMatchObject({ reason: { stderr: expect.stringContaining(TAG_EXISTS) } });
    expect(git("log", "-1", "--format=%s %(describe:tags)")).toBe("Release 0.2.0 v0.2.0");
    expect(git("status", "--porcelain")).toBe("");
    for (const file of ["package.json", "libs/one/package.json", "package-lock.json"])
      expect(JSON.parse(read(file))).toMatchObject({ version: "0.2.0" });
    expect(read("infra/kubernetes/Chart.yaml")).toBe("apiVersion: v2\nversion: 0.2.0\nappVersion: 0.2.0\n");
    expect(read("infra/kubernetes/example/kustomization.yaml")).toContain("newTag: 0.2.0\n");
    expect(release("--notes", "0.2.0").stdout).toBe("### Upgrading\n\n- Nothing.\n");
    expect(release("minor").stderr).toContain("nothing under '## [Unreleased]'");
  },
);
