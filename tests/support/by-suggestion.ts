import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { parseMapping } from "@tranche/intake/mapping/mapping";
import { mappedReader } from "@tranche/intake/sources/mapped";
import type { Answers } from "@tranche/intake/suggest/given";
import { sampleOf } from "@tranche/intake/suggest/sample";
import { type Suggestion, suggestMapping } from "@tranche/intake/suggest/suggest";

/** At most this number of rows of a file is read. */
const MAX_ROWS = 4000;
const SAMPLE_BYTES = 256 * 1024;
const CHUNK = 64 * 1024;

export type Made = {
  suggestion: Suggestion | undefined;
  records: Map<string, Record<string, unknown>>;
  refused: string[];
};

/** The suggestion for a file, and the records that reading the file by it gives. */
export async function bySuggestion(content: string | Buffer, answers: Answers = {}): Promise<Made> {
  const bytes = Buffer.from(content);
  const vocabulary = { dealTypes: dealTypes(), today: "2026-01-01" };
  const beginning = { bytes: bytes.subarray(0, SAMPLE_BYTES), isWhole: bytes.length <= SAMPLE_BYTES };
  const suggestion = suggestMapping(await sampleOf(beginning, answers["encoding"]), { ...vocabulary, answers });
  const made: Made = { suggestion, records: new Map(), refused: [] };
  if (!suggestion) return made;
  const reader = mappedReader(parseMapping(suggestion.mapping), vocabulary);
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
  })();
  let read = 0;
  for await (const item of reader.read(chunks)) {
    if (item.ok)
      for (const value of [...item.values, ...(item.filled ?? [])] as { id: string }[])
        made.records.set(value.id, value);
    else made.refused.push(item.problems[0]!.reason);
    if (++read === MAX_ROWS) break;
  }
  return made;
}

/** The records of a type, in the order of the rows. */
export const ofType = ({ records }: Made, type: string): Record<string, unknown>[] =>
  [...records.values()].filter((record) => record["type"] === type);

/** The column of each meaning. */
export const meaningsOf = ({ suggestion }: Made) =>
  Object.fromEntries(suggestion!.columns.flatMap(({ column, meaning }) => (meaning ? [[meaning, column]] : [])));

/** The ids of the open questions. */
export const questionsOf = ({ suggestion }: Made): string[] => suggestion!.questions.map(({ id }) => id);

/** The suggestion for these lines of a file. */
export const byLines = (lines: readonly string[], answers: Answers = {}): Promise<Made> =>
  bySuggestion(`${lines.join("\n")}\n`, answers);

/** The names of the companies, or of the investors. */
export const namesOf = (made: Made, type: "company" | "investor") => ofType(made, type).map(({ name }) => name);

/** What is said of a column. */
export const whyOf = ({ suggestion }: Made, column: string): string =>
  suggestion!.columns.find((each) => each.column === column)!.why;

/** The amounts of the rounds, in the order of the rows. */
export const amountsIn = (made: Made) => ofType(made, "round").map(({ amount_usd }) => amount_usd);

/** The days of the rounds, in the order of the rows. */
export const daysIn = (made: Made) => ofType(made, "round").map(({ announced_date }) => announced_date);
