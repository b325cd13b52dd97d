import { join } from "node:path";
import type { Reporter } from "vitest/node";
import { startVitest } from "vitest/node";
import { fileVerdict } from "../setup/file-verdict.ts";
import type { Verdict } from "./drill.ts";

/** Runs drills that are test files, on engines that they share; vitest's own lines go to the standard error. */
export async function runTestFiles(names: readonly string[], report: (verdict: Verdict) => void): Promise<void> {
  const missing = new Set(names);
  const verdicts: Reporter = {
    onTestModuleEnd(module) {
      const verdict = fileVerdict(module);
      missing.delete(verdict.name);
      report(verdict);
    },
  };
  const files = names.map((name) => join(import.meta.dirname, `${name}.test.ts`));
  const options = {
    run: true,
    watch: false,
    project: ["drills", "drills-without-engines"],
    reporters: ["default", verdicts],
  };
  const vitest = await startVitest("test", files, options, {}, { stdout: process.stderr });
  await vitest.close();
  for (const name of missing) report({ name, ok: false, failed: ["the file did not come to its end"] });
}
