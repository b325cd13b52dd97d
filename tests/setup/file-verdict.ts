import { basename } from "node:path";
import type { TestModule } from "vitest/node";
import { seconds, type Verdict } from "../drills/drill.ts";
import { wholeTime } from "./slowest-files.ts";

/** The verdict of a drill that is a test file: `failed` names its failed tests. */
export function fileVerdict(module: TestModule): Verdict {
  const tests = [...module.children.allTests()];
  const named = (state: string) =>
    tests.filter((each) => each.result().state === state).map(({ fullName }) => fullName);
  const [failed, skipped] = [named("failed"), named("skipped")];
  const ok = module.state() !== "failed";
  // A file can also fail before its tests, or in a hook.
  const reasons = failed.length > 0 ? failed : ["the file itself"];
  return {
    name: basename(module.moduleId, ".test.ts"),
    ok,
    ...(ok ? {} : { failed: reasons }),
    seconds: seconds(wholeTime(module)),
    tests: tests.length,
    ...(skipped.length > 0 ? { skipped } : {}),
  };
}
