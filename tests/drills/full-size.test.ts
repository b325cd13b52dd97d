import { describe } from "vitest";

process.env["TEST_SIZE"] = "full";

/** Files of `npm test` that have a full form. */
const FILES = [
  "api-oracle",
  "stats",
  "cursors",
  "deep-offsets",
  "filters",
  "surviving-pages",
  "dashboard-removal",
  "investors",
  "dashboard-browser",
  "docs-browser",
  "operators-browser",
  "records-browser",
  "changes",
  "stats-names",
];

describe.each(FILES)("%s", async (name) => {
  await import(`../${name}.test.ts`);
});
