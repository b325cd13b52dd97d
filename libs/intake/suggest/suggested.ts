import { RECORD_TYPES } from "@tranche/shared/domain/records/record";
import type { Vocabulary } from "../mapping/rows.ts";
import { SourceError } from "../sources/item.ts";
import { firstOf, withoutMark } from "../sources/json-items.ts";
import type { Beginning } from "./beginning.ts";
import type { Answers } from "./given.ts";
import { rowsAlong, type Sample, sampleOf } from "./sample.ts";
import { type Suggestion, suggestMapping } from "./suggest.ts";

/** The suggestion for the beginning of a file. Throws a SourceError where it is no table, or none of companies. */
export async function suggestionFor(
  beginning: Beginning,
  vocabulary: Vocabulary,
  answers: Answers,
): Promise<Suggestion> {
  const sample = await sampleOf(beginning, answers["encoding"]);
  const suggestion = suggestMapping(sample, { ...vocabulary, answers });
  if (suggestion) return suggestion;
  const names = sample.values ? rowsAlong(sample, undefined).columns : sample.columns;
  throw new SourceError(
    `none of the columns (${shownNames(names)}) can hold the names of companies. docs/mappings.md says how to write a mapping.`,
  );
}

function shownNames(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_COLUMNS).map((name) => `'${name.slice(0, SHOWN_NAME)}'`);
  return [...shown, ...(names.length > SHOWN_COLUMNS ? [`${names.length - SHOWN_COLUMNS} more`] : [])].join(", ");
}

const SHOWN_COLUMNS = 20;
const SHOWN_NAME = 60;

/** Whether a file has records, which need no mapping: most of its values have the type of one and an id, or the key of a signal. */
export function areRecords({ values = [] }: Pick<Sample, "values">): boolean {
  const types: readonly unknown[] = RECORD_TYPES;
  const records = (values as Record<string, unknown>[]).filter(
    ({ type, id, key }) => types.includes(type) && (id !== undefined || key !== undefined),
  );
  return records.length > values.length / 2;
}

/**
 * Whether a file is CSV, or JSON without records. Broken JSON is read as it is, and says line by line what is wrong. Throws a SourceError for
 * any other file that is no table.
 */
export async function isTable(beginning: Beginning): Promise<boolean> {
  try {
    const sample = await sampleOf(beginning);
    return sample.values ? !areRecords(sample) : sample.columns.length > 1;
  } catch (error) {
    if (error instanceof SourceError && !/^[[{]$/.test(firstOf(withoutMark(beginning.bytes)) ?? "")) throw error;
    return false;
  }
}
