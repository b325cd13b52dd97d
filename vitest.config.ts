import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import SlowestFiles from "./tests/setup/slowest-files.ts";

/** Files that take minutes: begun last, they would keep one worker busy after all others have ended. */
const LONGEST = ["tests/drills.test.ts", "tests/protocol.test.ts", "tests/drills-limits.test.ts"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLongest = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: [...configDefaults.reporters, new SlowestFiles()],
    projects: [
      {
        test: { name: "unit", include: ["{apps,bench,libs,infra,docs,web}/**/*.test.ts", "tests/setup/*.test.ts"] },
      },
      {
        test: {
          name: "integration",
          include: ["tests/*.test.ts"],
          globalSetup: ["tests/setup/engines.ts"],
          // With more, Redis waits for a processor for so long that the API takes it for away. Each file has a namespace of its own.
          maxWorkers: 2,
          // After the unit tests, which use every core.
          sequence: { groupOrder: 1 },
          // A busy machine takes several times as long as an idle one.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
  },
});
