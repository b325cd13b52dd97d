import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: { name: "unit", include: ["{apps,bench,libs,infra,docs,web}/**/*.test.ts"] },
      },
      {
        test: {
          name: "integration",
          include: ["tests/**/*.test.ts"],
          globalSetup: ["tests/setup/engines.ts"],
          // They wait more than they compute. Each file has a namespace of its own on the engines that they share.
          maxWorkers: 2,
          // After the unit tests, which use every core.
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
