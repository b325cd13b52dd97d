import type { TestModule } from "vitest/node";
import { describe, expect, test } from "vitest";
import { fileVerdict } from "./file-verdict.ts";

const TIMES = {
  prepareDuration: 0,
  environmentSetupDuration: 0,
  setupDuration: 0,
  collectDuration: 1000,
  duration: 1540,
};

/** As vitest reports a file that has run, with the state of each of its tests by name. */
function moduleOf(state: string, tests: Record<string, string>): TestModule {
  const cases = Object.entries(tests).map(([fullName, each]) => ({ fullName, result: () => ({ state: each }) }));
  const moduleId = "/tranche/tests/drills/leader.test.ts";
  return {
    moduleId,
    state: () => state,
    diagnostic: () => TIMES,
    children: { allTests: () => cases },
  } as unknown as TestModule;
}

describe("the verdict of a drill that is a test file", () => {
  test("has its name, its time and how many tests it has", () => {
    expect(fileVerdict(moduleOf("passed", { a: "passed", b: "passed" }))).toEqual({
      name: "leader",
      ok: true,
      seconds: 2.5,
      tests: 2,
    });
  });

  test("names failed and skipped tests", () => {
    const module = moduleOf("failed", { a: "failed", b: "passed", c: "skipped" });
    expect(fileVerdict(module)).toMatchObject({ ok: false, failed: ["a"], skipped: ["c"] });
  });

  test("fails with a file that does not come to its tests", () => {
    expect(fileVerdict(moduleOf("failed", {}))).toMatchObject({ ok: false, failed: ["the file itself"], tests: 0 });
  });
});
