import { unfinishedText } from "@tranche/intake/reading/file-progress";
import { noticesOf } from "@tranche/intake/reading/notices";
import { type IngestSummary, type SetSummary, tooManyText } from "@tranche/intake/reading/summary";
import { RECORD_TYPES, type RecordType } from "@tranche/shared/domain/records/record";
import type { Notice } from "@tranche/shared/protocol/runs/ingest-runs";
import { originsText } from "@tranche/shared/protocol/runs/job-origins";
import { counted, shownNumber } from "@tranche/shared/domain/text/numbers";
import type { Existing } from "@tranche/intake/reading/existing";

const NAMED: Record<RecordType, [string, string]> = {
  company: ["company", "companies"],
  investor: ["investor", "investors"],
  round: ["round", "rounds"],
  signal: ["signal", "signals"],
};

/** The summary as people read it. */
export function summaryText(summary: IngestSummary): string {
  const total = RECORD_TYPES.reduce((sum, type) => sum + summary.enqueued[type], 0);
  const types = RECORD_TYPES.filter((type) => summary.enqueued[type] > 0).map((type) =>
    counted(summary.enqueued[type], ...NAMED[type]),
  );
  const speed = total > 0 && summary.seconds > 0 ? `, ${shownNumber(total / summary.seconds)} per second` : "";
  const { rows } = summary;
  const kinds = [
    summary.merges > 0 && counted(summary.merges, "merge"),
    summary.deletes > 0 && counted(summary.deletes, "delete"),
  ].filter((kind) => typeof kind === "string");
  return [
    `${counted(rows.read, "row")} read from ${counted(summary.files, "file")} in ${summary.seconds} s: ` +
      `${shownNumber(rows.with_records)} gave records, ${shownNumber(rows.refused)} refused, ${shownNumber(rows.skipped)} left out by the mapping`,
    summary.broken_files > 0 && `Not read, or not to the end: ${counted(summary.broken_files, "file")}`,
    `${summary.dry_run ? "To be enqueued" : "Enqueued"}: ${shownNumber(total)}${types.length > 0 ? ` (${types.join(", ")}${kinds.map((kind) => `; ${kind}`).join("")})` : ""}${speed}`,
    ...(summary.dry_run ? [] : existingLines(summary.existing)),
    ...noticesOf(summary).map(noticeLine),
    summary.set && setText(summary.set, summary.searchable !== undefined),
    summary.interrupted && !summary.dry_run && "Interrupted: enqueued records stay in the queue.",
    summary.unfinished.length > 0 && `Not read to the end, ingest again: ${unfinishedText(summary.unfinished)}`,
    summary.lost &&
      `Redis lost writes that it had acknowledged. Ingest again: ${originsText(summary.lost)}. \`ops status\` names them until then.`,
    summary.searchable && `Everything is searchable, after ${summary.searchable_after_seconds} s.`,
  ]
    .filter((line) => typeof line === "string")
    .join("\n");
}

/** The fate of the records that a set had and the input did not. `waited`: until the deletions ended. */
function setText(set: SetSummary, waited: boolean): string {
  const { name, deletions, deleted } = set;
  const total = RECORD_TYPES.reduce((sum, type) => sum + set.missing[type], 0);
  const missing = `${counted(total, "record")} of the set '${name}' ${total === 1 ? "is" : "are"} missing`;
  if (deletions === "none") return `The set '${name}' lost nothing.`;
  if (deletions === "not whole")
    return `Nothing of the set '${name}' was deleted: the input was not read to its end without refusals.`;
  if (deletions === "refused") return tooManyText(set);
  if (deletions === "not allowed") return `${missing}, and stay.`;
  if (deletions === "given up")
    return `${missing}. Not everything was stored, so the deletions were given up after ${shownNumber(deleted)}.`;
  return waited
    ? `${missing}: ${shownNumber(deleted)} deleted; other sets have the rest.`
    : `${missing}. An indexer deletes them when everything is stored, except those that another set has.`;
}

/** `Unknown countries, set to null: 14 ('Freedonia' 10, 'Sylvania' 4)` */
function noticeLine({ text, examples, more }: Notice): string {
  const shown = [...examples, ...(more > 0 ? [`and ${shownNumber(more)} more`] : [])].join(", ");
  return shown === "" ? text : `${text} (${shown})`;
}

/** The fate of existing records, for people; nothing where there is nothing to say. */
function existingLines({ replaced, merged, kept }: Existing): string[] {
  return [
    replaced > 0 &&
      `${counted(replaced, "existing record")} replaced, with all fields. To prevent that, use --only-new, or "op": "merge" to change single fields.`,
    merged > 0 && `${counted(merged, "existing record")} changed by merges`,
    kept > 0 && `${counted(kept, "existing record")} left alone (--only-new)`,
  ].filter((line) => typeof line === "string");
}
