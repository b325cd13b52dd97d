import { readFileSync, writeFileSync } from "node:fs";
import { withErrors } from "./errors-page.ts";
import { settingsMarkdown } from "./settings-page.ts";
import { withCatalogueTable } from "./signals-page.ts";
import { withFolderOrder } from "./folder-order.ts";

/** Updates the parts of the pages in this folder that are generated from tables in the code. A test fails when one is out of date. */
const PAGES: Record<string, (page: string) => string> = {
  "docs/architecture.md": withFolderOrder,
  "docs/guides/errors.md": withErrors,
  "docs/settings.md": settingsMarkdown,
  "docs/signals.md": withCatalogueTable,
};

for (const [file, page] of Object.entries(PAGES)) {
  const at = new URL(`../${file}`, import.meta.url);
  writeFileSync(at, page(readFileSync(at, "utf8")));
  console.log(`wrote ${file}`);
}
