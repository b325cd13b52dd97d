import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { Argument, Command, Option } from "commander";
import { nextVersion, notesOf, released, type Step } from "./changelog.ts";

const CHANGELOG = "CHANGELOG.md";
/** Files that name the version, and how. */
const NAMED: Record<string, RegExp> = {
  "infra/kubernetes/Chart.yaml": /(?<=^(?:version|appVersion): ).*$/gm,
  "infra/kubernetes/example/kustomization.yaml": /(?<=newTag: ).*$/gm,
};

const run = (command: string, ...args: string[]): string => execFileSync(command, args, { encoding: "utf8" }).trim();
const read = (file: string): string => readFileSync(file, "utf8");
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
  const changed = run("git", "status", "--porcelain");
  if (changed && !isDry)
    throw new Error(`Commit or stash these first, or wait for the release that is being made:\n${changed}`);
  if (run("git", "tag", "--list", tag)) throw new Error(`The tag ${tag} exists. Run git pull, then try again.`);
  const today = new Date().toISOString().slice(0, 10);
  const changelog = released(read(CHANGELOG), version, today);
  if (isDry) {
    console.log(`Would release ${version} from ${run("git", "rev-parse", "--short", "HEAD")}, with these notes:\n`);
    return printNotes(version, changelog);
  }
  run(
    "npm",
    "version",
    version,
    "--workspaces",
    "--include-workspace-root",
    "--no-git-tag-version",
    "--no-workspaces-update",
  );
  run("npm", "install", "--package-lock-only", "--ignore-scripts");
  writeFileSync(CHANGELOG, changelog);
  for (const [file, at] of Object.entries(NAMED)) writeFileSync(file, read(file).replaceAll(at, version));
  run("git", "commit", "--all", "--message", `Release ${version}`);
  run("git", "tag", "--annotate", tag, "--message", `Tranche ${version}`);
  console.log(`${tag} is committed and tagged. To publish it: git push --atomic origin HEAD ${tag}`);
}

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
