import { writeFileSync } from "node:fs";
import { settingsMarkdown } from "@tranche/shared/settings/markdown";

/** Writes the pages of `docs/` that are projections of tables in the code. A test fails when one is stale. */
const PAGES = { "docs/settings.md": settingsMarkdown };

for (const [file, page] of Object.entries(PAGES)) {
  writeFileSync(new URL(`../${file}`, import.meta.url), page());
  console.log(`wrote ${file}`);
}
