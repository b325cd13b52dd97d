import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

type FileTime = { path: string; ms: number };

/** What a file of `npm test` should take at most. One that takes longer is shown, and fails nothing. */
const BUDGET_MS = 30_000;
const SHOWN = 10;

/** Everything that a file takes: its imports with all they start, its hooks and its tests. */
export function wholeTime(module: TestModule): number {
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic();
  return prepareDuration + environmentSetupDuration + setupDuration + collectDuration + duration;
}

/** The slowest files, slowest first, and how many of all exceed the budget. */
export function slowestText(files: readonly FileTime[]): string {
  const slowest = [...files].sort((a, b) => b.ms - a.ms).slice(0, SHOWN);
  const over = files.filter(({ ms }) => ms > BUDGET_MS).length;
  const lines = slowest.map(({ path, ms }) => {
    const time = (ms / 1000).toFixed(1).padStart(7);
    return `${time} s  ${path}${ms > BUDGET_MS ? "  over its budget" : ""}`;
  });
  const budget = `${BUDGET_MS / 1000} s each; over it: ${over} of ${files.length}`;
  return [`Slowest files (budget ${budget})`, ...lines].join("\n");
}

/** Prints the slowest files at the end of a run. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({ path: relative("", module.moduleId), ms: wholeTime(module) }));
    console.log(`\n${slowestText(files)}\n`);
  }
}
