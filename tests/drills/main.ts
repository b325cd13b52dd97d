import { execFileSync } from "node:child_process";
import { Command, InvalidArgumentError, Option } from "commander";
import { DRILLS } from "./all.ts";
import { drillsFor } from "./asked-for.ts";
import { type Drill, runDrill, type Size, type Verdict } from "./drill.ts";
import { startDrillEngines } from "./engines.ts";
import { createRandom } from "./random.ts";
import { runTestFiles } from "./run-test-files.ts";
import { TEST_FILES } from "./test-files.ts";

const WRONG_USAGE = 2;
const NAMES = [...DRILLS, ...TEST_FILES].map(({ name }) => name);

type Options = { json?: boolean; list?: boolean; seed: number; since?: string; size: Size };

const command = new Command("npm run -s drills --")
  .description(
    "Failure drills: breaks something on real engines and measures what must hold. docs/drills.md describes each.",
  )
  .argument("[name...]", "drills to run, or `all`")
  .option("--list", "list the drills")
  .option(
    "--since <commit>",
    "the drills that docs/testing.md asks for, by the files that changed since this branch left a commit",
  )
  .option("--json", "only one line for each, as JSON")
  .option("--seed <n>", "for another run of chance; test files have none", wholeNumber, 1)
  .addOption(
    new Option("--size <size>", "short takes up to half a minute each; test files have one size")
      .choices(["short", "full"])
      .default("full"),
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : WRONG_USAGE))
  .parse();
const { json, list, seed, since, size } = command.opts<Options>();

if (list) {
  for (const { name, about } of [...DRILLS, ...TEST_FILES]) console.log(`${name.padEnd(22)} ${about}`);
} else {
  if (since !== undefined && command.args.length > 0) {
    console.error("Name drills, or choose them by --since, but not both.");
    process.exit(WRONG_USAGE);
  }
  const named = since !== undefined ? sinceCommit(since) : command.args.includes("all") ? NAMES : command.args;
  const unknown = named.filter((name) => !NAMES.includes(name));
  if (named.length === 0 || unknown.length > 0) {
    const names = NAMES.join(", ");
    console.error(
      named.length === 0 ? `Name a drill: ${names}` : `There is no drill '${unknown[0]}'. Drills: ${names}`,
    );
    process.exit(WRONG_USAGE);
  }
  for (const drill of DRILLS.filter(({ name }) => named.includes(name))) await run(drill);
  // Last, because vitest changes the environment of this process.
  const files = TEST_FILES.map(({ name }) => name).filter((name) => named.includes(name));
  if (files.length > 0) await runTestFiles(files, report);
  // A drill that broke off may have left a connection, which would keep this process for ever.
  process.exit();
}

/** The drills that the changes since a commit ask for. Exits if there are none, or if git does not know the commit. */
function sinceCommit(commit: string): string[] {
  let changed: string;
  try {
    const sinceItsBranch = git("diff", "--name-only", "--no-renames", "--merge-base", commit, "--");
    changed = sinceItsBranch + git("ls-files", "--others", "--exclude-standard");
  } catch {
    console.error(`git knows no commit '${commit}'. Expected one such as HEAD~1 or origin/main.`);
    process.exit(WRONG_USAGE);
  }
  const asked = drillsFor(changed.split("\n"), NAMES);
  console.error(
    asked.length > 0 ? `Asked for: ${asked.join(", ")}` : `Nothing changed since ${commit} that asks for a drill.`,
  );
  if (asked.length === 0) process.exit(0);
  return asked;
}

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/** Each drill has the engines to itself, and fresh ones. */
async function run(drill: Drill): Promise<void> {
  const start = Date.now();
  const say = (line: string) => console.error(`${drill.name} ${Math.round((Date.now() - start) / 1000)} s: ${line}`);
  const engines = await startDrillEngines(say);
  let verdict: Verdict;
  try {
    verdict = await runDrill(drill, { engines, size, random: createRandom(seed), say });
  } catch (error) {
    say((error as Error).stack ?? String(error));
    verdict = { name: drill.name, ok: false, failed: [(error as Error).message], size };
  }
  await engines.close();
  report({ ...verdict, seed });
}

function report(verdict: Verdict): void {
  console.log(json ? JSON.stringify(verdict) : shown(verdict));
  if (!verdict.ok) process.exitCode = 1;
}

function shown({ name, ok, ...figures }: Verdict): string {
  const lines = Object.entries(figures).map(([figure, value]) => `  ${figure}: ${JSON.stringify(value)}`);
  return [`${name}: ${ok ? "ok" : "FAILED"}`, ...lines].join("\n");
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("expected a whole number");
  return Number(text);
}
