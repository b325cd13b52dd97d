import type { IngestSummary } from "./summary.ts";

/** The part of an ingest that the audit log keeps. */
export function ingestFigures({ run, enqueued, refused, interrupted }: IngestSummary): Record<string, string> {
  const records = Object.entries(enqueued).flatMap(([type, count]) => (count > 0 ? [`${count} ${type}`] : []));
  return {
    ...(interrupted ? { outcome: "interrupted" } : {}),
    ...(run === undefined ? {} : { run }),
    enqueued: records.join(", ") || "nothing",
    refused: String(refused),
  };
}
