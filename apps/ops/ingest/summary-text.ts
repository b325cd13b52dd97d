import { unfinishedText } from "@tranche/intake/reading/file-progress";
import { type IngestSummary, MAX_EXAMPLES, type SetSummary, tooManyText } from "@tranche/intake/reading/summary";
import { RECORD_TYPES, type RecordType } from "@tranche/shared/domain/records/record";
import { originsText } from "@tranche/shared/protocol/runs/job-origins";
import { counted, shownNumber } from "@tranche/shared/domain/text/numbers";
import { existingLines } from "./existing-lines.ts";
import { repeatedIdsText } from "./repeated-ids-text.ts";

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
  const speed = summary.seconds > 0 ? `, ${shownNumber(total / summary.seconds)} per second` : "";
  const differing = Object.values(summary.differing_values).reduce((sum, count) => sum + count, 0);
  const { rows } = summary;
  const labels = Object.values(summary.unknown_deal_types).reduce((sum, count) => sum + count, 0);
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
    ...Object.entries(summary.unreadable_values).map(
      ([column, texts]) =>
        `Not readable in column '${column}', replaced as "else" says: ${shownNumber(texts.count)} (${examples(texts.examples, 5)})`,
    ),
    ...Object.entries(summary.coarse_dates).map(
      ([column, texts]) =>
        `Without a day in column '${column}', taken as the first day of the month, quarter or year: ${shownNumber(texts.count)} (${examples(texts.examples, 5)})`,
    ),
    differing > 0 &&
      `Different from an earlier row of the same record, which stays: ${shownNumber(differing)} (${examples(summary.differing_values, 10)})`,
    summary.unknown_countries.count > 0 &&
      `Unknown countries, set to null: ${shownNumber(summary.unknown_countries.count)} (${examples(summary.unknown_countries.examples, 5)})`,
    labels > 0 &&
      `Labels that match no deal type, stored as 'other' with the label: ${shownNumber(labels)} (${examples(summary.unknown_deal_types, 20)})`,
    summary.unknown_fields.length > 0 &&
      `Unknown fields, ignored (--strict refuses them): ${unknownFieldList(summary)}`,
    Object.keys(summary.duplicate_keys).length > 0 &&
      `Duplicate keys, the last value of each was used (--strict refuses them): ${examples(summary.duplicate_keys, 10)}`,
    repeatedIdsText(summary.repeated_ids),
    summary.versions.given > 0 &&
      summary.versions.taken > 0 &&
      `Warning: ${shownNumber(summary.versions.given)} writes carry a version and ${shownNumber(summary.versions.taken)} do not. ` +
        "All writes of one record have to be of one kind: a version taken here is in the order of microseconds since 1970, above any small number.",
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

/** What becomes of the records that a set had and the input did not. `waited`: until the deletions ended. */
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

/** `company.cuntry 12 (did you mean country?), round.x 3` */
function unknownFieldList({ unknown_fields }: IngestSummary): string {
  const shown = unknown_fields
    .slice(0, MAX_EXAMPLES)
    .map(
      ({ type, field, count, suggestion }) =>
        `${type}.${field} ${shownNumber(count)}${suggestion === null ? "" : ` (did you mean ${suggestion}?)`}`,
    );
  return andMore(shown, unknown_fields.length);
}

/** `'Freedonia' 10, 'Sylvania' 4, and 3 more` */
function examples(counts: Record<string, number>, limit: number): string {
  const entries = Object.entries(counts);
  const shown = entries.slice(0, limit).map(([name, count]) => `'${name}' ${shownNumber(count)}`);
  return andMore(shown, entries.length);
}

function andMore(shown: string[], total: number): string {
  const more = total - shown.length;
  return [...shown, ...(more > 0 ? [`and ${shownNumber(more)} more`] : [])].join(", ");
}
