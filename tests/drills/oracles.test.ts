import { describe } from "vitest";

process.env["ORACLES"] = "full";

/** Tests that compare answers with plain loops. Each has a service of its own. */
const ORACLES = ["api-oracle", "stats", "cursors", "deep-offsets"];

describe.each(ORACLES)("%s", async (name) => {
  await import(`../${name}.test.ts`);
});
