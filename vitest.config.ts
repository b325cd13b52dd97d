import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import SlowestFiles from "./tests/setup/slowest-files.ts";

/** Files that take longest: begun last, they would keep one worker busy after all others have ended. */
const LONGEST = [
  "tests/kills.test.ts",
  "tests/api-oracle.test.ts",
  "tests/protocol.test.ts",
  "tests/cursors.test.ts",
  "tests/dashboard-browser.test.ts",
  "tests/drills/protocol.test.ts",
  "tests/drills/local-engines.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLongest = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

/** Tests on real engines, which are found or started once for a run. */
const onEngines = {
  globalSetup: ["tests/setup/engines.ts"],
  // With more, Redis waits for a processor for so long that the API takes it for away. Each file has a namespace of its own.
  maxWorkers: 2,
  // A busy machine takes several times as long as an idle one.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: [...configDefaults.reporters, new SlowestFiles()],
    projects: [
      {
        test: { name: "unit", include: ["{apps,libs,infra,tools,docs,web}/**/*.test.ts", "tests/setup/*.test.ts"] },
      },
      {
        // After the unit tests, which use every core.
        test: { name: "integration", include: ["tests/*.test.ts"], ...onEngines, sequence: { groupOrder: 1 } },
      },
      {
        // `npm run drills` runs these; `npm test` does not.
        test: { name: "drills", include: ["tests/drills/*.test.ts"], ...onEngines, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
