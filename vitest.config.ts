import { globSync, readFileSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import SlowestFiles from "./tests/setup/slowest-files.ts";

/**
 * Files that take longest, in the order in which they are begun: last, they would keep one worker busy after all others have ended. Those
 * that mostly wait run beside those that keep a browser busy. Of the others vitest begins with those of most bytes.
 */
const LONGEST = [
  "tests/dashboard-browser.test.ts",
  "tests/kills.test.ts",
  "tests/follows.test.ts",
  "tests/explore-browser.test.ts",
  "tests/webhooks.test.ts",
  "tests/docs-browser.test.ts",
  "tests/operators-pages.test.ts",
  "tests/operators-browser.test.ts",
  "tests/api-oracle.test.ts",
  "tests/least-privilege.test.ts",
  "tests/drills/protocol.test.ts",
  "tests/drills/local-engines.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

const UNIT = ["{apps,libs,infra,tools,docs,web}/**/*.test.ts", "tests/setup/*.test.ts"];
/** Unit tests that replace a module have modules of their own. The others share those of their worker: imports were a quarter of their time. */
const MOCKING = globSync(UNIT, { exclude: ["**/node_modules"] }).filter((file) =>
  readFileSync(file, "utf8").includes("vi.mock("),
);
/** By default one core is left free: of two, half of the machine. Random searches take seconds where something else uses the cores. */
const unit = { maxWorkers: "100%", testTimeout: 20_000 };

/** Drills that need no engines, so that none are started for them. */
const WITHOUT_ENGINES = ["deployment-files", "kubernetes", "kubernetes-api", "protocol"].map(
  (name) => `tests/drills/${name}.test.ts`,
);

/** A busy machine takes several times as long as an idle one. */
const TIMEOUTS = { testTimeout: 180_000, hookTimeout: 180_000 };

/** Tests on real engines, which are found or started once for a run. */
const onEngines = {
  ...TIMEOUTS,
  globalSetup: ["tests/setup/engines.ts"],
  // With more, Redis waits for a processor for so long that the API takes it for away. A file has a namespace of its own, or records of its own in one that its worker shares.
  maxWorkers: 2,
  expect: { poll: { timeout: 30_000 } },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: [...configDefaults.reporters, new SlowestFiles()],
    projects: [
      {
        test: {
          ...unit,
          name: "unit",
          include: UNIT,
          exclude: [...configDefaults.exclude, ...MOCKING],
          isolate: false,
        },
      },
      {
        test: { ...unit, name: "unit-isolated", include: MOCKING },
      },
      {
        // After the unit tests, which use every core.
        test: {
          name: "integration",
          include: ["tests/*.test.ts"],
          ...onEngines,
          // A file ends what it began, and finds the modules of the files before it.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // `npm run drills` runs these and the next; `npm test` does not.
        test: {
          name: "drills",
          include: ["tests/drills/*.test.ts"],
          exclude: [...configDefaults.exclude, ...WITHOUT_ENGINES],
          ...onEngines,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: { name: "drills-without-engines", include: WITHOUT_ENGINES, ...TIMEOUTS, sequence: { groupOrder: 3 } },
      },
    ],
  },
});
