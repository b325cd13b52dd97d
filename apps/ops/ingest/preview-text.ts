import type { IngestSummary } from "@tranche/intake/reading/summary";
import { shownNumber } from "@tranche/shared/domain/text/numbers";
import { summaryText } from "./summary-text.ts";

/** A preview as people read it: the first records, one per line, and the summary. */
export function previewText(summary: IngestSummary): string {
  const { created, changed, deleted, unchanged, first } = summary.dry_run!;
  const effects = { created, changed, deleted, "left unchanged": unchanged };
  const shown = Object.entries(effects).filter(([name, count]) => count > 0 || name !== "deleted");
  return [
    ...first.map((record) => JSON.stringify(record)),
    "",
    summaryText(summary),
    `Records that would be ${shown.map(([name, count]) => `${name}: ${shownNumber(count)}`).join(", ")}`,
    "Dry run: nothing was enqueued.",
  ].join("\n");
}
