import type { Origin } from "@tranche/shared/protocol/queue/enqueue";
import type { Notice } from "@tranche/shared/protocol/runs/ingest-runs";
import { counted, shownNumber } from "@tranche/shared/domain/text/numbers";
import type { RepeatedIds } from "./repeated-ids.ts";
import { type IngestSummary, MAX_EXAMPLES } from "./summary.ts";

type Counted = Omit<IngestSummary, "seconds" | "interrupted" | "unfinished">;

/** Notices of an ingest beside its refusals: values that were replaced, left out or ignored. */
export function noticesOf(summary: Counted): Notice[] {
  const { unknown_countries: countries, unknown_deal_types: labels, versions } = summary;
  const { waiting } = summary.existing;
  return [
    ...Object.entries(summary.unreadable_values).map(([column, { count, examples }]) =>
      notice(`Not readable in column '${column}', replaced as "else" says: ${shownNumber(count)}`, quoted(examples)),
    ),
    ...Object.entries(summary.coarse_dates).map(([column, { count, examples }]) =>
      notice(
        `Without a day in column '${column}', taken as the first day of the month, quarter or year: ${shownNumber(count)}`,
        quoted(examples),
      ),
    ),
    ...ofCounts("Different from an earlier row of the same record, which stays", summary.differing_values),
    ...(countries.count > 0
      ? [notice(`Unknown countries, set to null: ${shownNumber(countries.count)}`, quoted(countries.examples))]
      : []),
    ...ofCounts("Labels that match no deal type, stored as 'other' with the label", labels),
    ...unknownFields(summary),
    ...ofCounts("Duplicate keys, the last value of each was used (--strict refuses them)", summary.duplicate_keys),
    ...repeatedIds(summary.repeated_ids),
    ...(waiting > 0 ? [notice(`${counted(waiting, "record")} not stored yet: their merges wait for them`, [])] : []),
    ...(versions.given > 0 && versions.taken > 0
      ? [
          notice(
            `Warning: ${shownNumber(versions.given)} writes carry a version and ${shownNumber(versions.taken)} do not. ` +
              "All writes of one record have to be of one kind: a version taken here is in the order of microseconds since 1970, above any small number",
            [],
          ),
        ]
      : []),
  ];
}

function notice(text: string, examples: readonly string[]): Notice {
  return { text, examples: examples.slice(0, MAX_EXAMPLES), more: Math.max(0, examples.length - MAX_EXAMPLES) };
}

function ofCounts(text: string, counts: Record<string, number>): Notice[] {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return total === 0 ? [] : [notice(`${text}: ${shownNumber(total)}`, quoted(counts))];
}

/** `'Freedonia' 10`, `'Sylvania' 4` */
const quoted = (counts: Record<string, number>): string[] =>
  Object.entries(counts).map(([name, count]) => `'${name}' ${shownNumber(count)}`);

/** `company.cuntry 12 (did you mean country?)` */
function unknownFields({ unknown_fields }: Counted): Notice[] {
  if (unknown_fields.length === 0) return [];
  const total = unknown_fields.reduce((sum, { count }) => sum + count, 0);
  const examples = unknown_fields.map(
    ({ type, field, count, suggestion }) =>
      `${type}.${field} ${shownNumber(count)}${suggestion === null ? "" : ` (did you mean ${suggestion}?)`}`,
  );
  return [notice(`Unknown fields, ignored (--strict refuses them): ${shownNumber(total)}`, examples)];
}

/** `dur-1 in lines 2, 3, 4` */
function repeatedIds({ count, examples, among_first }: RepeatedIds): Notice[] {
  if (count === 0) return [];
  const [records, have] = count === 1 ? ["record", "has"] : ["records", "have"];
  const among = among_first === null ? "" : ` (looked for among the first ${shownNumber(among_first)} ids)`;
  const text = `${shownNumber(count)} ${records} ${have} the id of an earlier record of this call; the last one counts${among}`;
  return [
    notice(
      text,
      examples.map(({ id, at }) => `${id} in ${placesText(at)}`),
    ),
  ];
}

/** `lines 2, 3, 4`, or with the files where there are several: `a.csv lines 2, 3, b.csv line 7`. */
function placesText(at: readonly Origin[]): string {
  const byFile = [...Map.groupBy(at, ({ file }) => file)];
  return byFile
    .map(([file, places]) => {
      const numbers = [...new Set(places.flatMap(({ lines, elements }) => (lines ?? elements ?? []).slice(0, 1)))];
      const noun = places[0]!.elements ? "element" : "line";
      const text = `${noun}${numbers.length === 1 ? "" : "s"} ${numbers.join(", ")}`;
      return byFile.length > 1 ? `${file} ${text}` : text;
    })
    .join(", ");
}
