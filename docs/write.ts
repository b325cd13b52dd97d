import { readFileSync, writeFileSync } from "node:fs";
import { prometheusRule } from "../infra/kubernetes/alert-rules.ts";
import { withSettings } from "../infra/kubernetes/values-schema.ts";
import { withErrors } from "./errors-page.ts";
import { settingsMarkdown } from "./settings-page.ts";
import { withCatalogueTable } from "./signals-page.ts";
import { withFolderOrder } from "./folder-order.ts";

const path = (file: string) => new URL(`../${file}`, import.meta.url);
const read = (file: string) => readFileSync(path(file), "utf8");

/** Updates the parts of pages and files that are generated from tables in the code. A test fails when one is out of date. */
const PAGES: Record<string, (page: string) => string> = {
  "docs/architecture.md": withFolderOrder,
  "docs/guides/errors.md": withErrors,
  "docs/settings.md": settingsMarkdown,
  "docs/signals.md": withCatalogueTable,
  "infra/kubernetes/components/monitoring/rules.yaml": () => prometheusRule(read("infra/prometheus/alerts.yaml")),
  "infra/kubernetes/values.schema.json": withSettings,
};

for (const [file, page] of Object.entries(PAGES)) {
  writeFileSync(path(file), page(read(file)));
  console.log(`wrote ${file}`);
}
