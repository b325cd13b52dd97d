import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Argument, Command, Option } from "commander";
import { nextVersion, notesOf, released, type Step } from "./changelog.ts";

const CHANGELOG = "CHANGELOG.md";
/** Files that name the version, and how. */
const NAMED: Record<string, RegExp> = {
  "infra/kubernetes/Chart.yaml": /(?<=^(?:version|appVersion): ).*$/gm,
  "infra/kubernetes/example/kustomization.yaml": /(?<=newTag: ).*$/gm,
};

const run = (command: string, args: string[], cwd = "."): string =>
  execFileSync(command, args, { encoding: "utf8", cwd }).trim();
const read = (file: string, folder = "."): string => readFileSync(join(folder, file), "utf8");
const ownVersion = (): string => (JSON.parse(read("package.json")) as { version: string }).version;

const program = new Command("npm run release --")
  .description(
    "Makes a release: gives all packages the next version and CHANGELOG.md its heading, commits and tags that.\n" +
      "Nothing is pushed. A workflow builds and publishes a tag when it is pushed.",
  )
  .addArgument(new Argument("[step]", "the part of the version that grows").choices(["major", "minor", "patch"]))
  .addOption(new Option("--dry-run", "say what it would do, and change nothing"))
  .addOption(new Option("--notes <version>", "print what CHANGELOG.md says about a version").conflicts("dryRun"))
  .action((step: Step | undefined, { dryRun, notes }: { dryRun?: true; notes?: string }) => {
    if (notes !== undefined) return printNotes(notes);
    if (step === undefined && !dryRun) throw new Error("Say which part of the version grows: major, minor or patch.");
    release(step ?? "minor", dryRun === true);
  });

function release(step: Step, isDry: boolean): void {
  const version = nextVersion(ownVersion(), step);
  const tag = `v${version}`;
  const changed = run("git", ["status", "--porcelain"]);
  if (changed && !isDry) throw new Error(`Commit or stash these first:\n${changed}`);
  if (run("git", ["tag", "--list", tag])) throw new Error(tagExists(tag));
  const today = new Date().toISOString().slice(0, 10);
  const changelog = released(read(CHANGELOG), version, today);
  if (isDry) {
    console.log(`Would release ${version} from ${run("git", ["rev-parse", "--short", "HEAD"])}, with these notes:\n`);
    return printNotes(version, changelog);
  }
  const folder = mkdtempSync(join(tmpdir(), "tranche-release-"));
  run("git", ["worktree", "add", "--quiet", "--detach", folder]);
  try {
    commit(folder, version, changelog);
    publish(tag, run("git", ["rev-parse", "HEAD"], folder));
  } finally {
    run("git", ["worktree", "remove", "--force", folder]);
  }
  console.log(`${tag} is committed and tagged. To publish it: git push --atomic origin HEAD ${tag}`);
}

/** Commits a release in a work tree of its own: what breaks off leaves nothing half done in the project's. */
function commit(folder: string, version: string, changelog: string): void {
  const packages = ["--workspaces", "--include-workspace-root", "--no-git-tag-version", "--no-workspaces-update"];
  run("npm", ["version", version, ...packages], folder);
  run("npm", ["install", "--package-lock-only", "--ignore-scripts"], folder);
  writeFileSync(join(folder, CHANGELOG), changelog);
  for (const [file, at] of Object.entries(NAMED))
    writeFileSync(join(folder, file), read(file, folder).replaceAll(at, version));
  run("git", ["commit", "--quiet", "--all", "--message", `Release ${version}`], folder);
}

/** Gives a commit its tag, of which git lets one of two releases at once make it, and moves the branch. */
function publish(tag: string, made: string): void {
  try {
    run("git", ["tag", "--annotate", tag, "--message", `Tranche ${tag.slice(1)}`, made]);
  } catch (error) {
    throw run("git", ["tag", "--list", tag]) ? new Error(tagExists(tag)) : error;
  }
  try {
    run("git", ["merge", "--quiet", "--ff-only", made]);
  } catch {
    run("git", ["tag", "--delete", tag]);
    throw new Error("The branch or its files changed meanwhile, so nothing was released. Run it again.");
  }
}

const tagExists = (tag: string): string =>
  `The tag ${tag} exists. Run git pull, then try again. If it was never pushed, because a release broke off: git tag --delete ${tag}`;

function printNotes(version: string, changelog = read(CHANGELOG)): void {
  const notes = notesOf(changelog, `## [${version}]`);
  if (!notes) throw new Error(`${CHANGELOG} says nothing about ${version}.`);
  console.log(notes);
}

try {
  program.parse();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
