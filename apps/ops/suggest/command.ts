import { existsSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { RECORD_TYPES } from "@tranche/shared/domain/records/record";
import { readDealTypes } from "@tranche/shared/process/vocabulary-file";
import type { Ops } from "../context/ops.ts";
import { questionText } from "@tranche/intake/mapping/mapping";
import type { Vocabulary } from "@tranche/intake/mapping/rows";
import { SourceError } from "@tranche/intake/sources/item";
import { Failure } from "../terminal/failure.ts";
import { answersIn, checkAnswers, checkColumns } from "./answers.ts";
import type { Answers } from "./given.ts";
import { converse } from "./dialogue.ts";
import { readBeginning, rowsAlong, type Sample, sampleOf } from "./sample.ts";
import { type Suggestion, suggestMapping } from "./suggest.ts";
import { profileLines, suggestionLines } from "./suggestion-text.ts";

/** Shows a first mapping for a file, and says what it was made from and what it leaves open. */
export async function suggestMap(ops: Ops, file: string, given: readonly string[]): Promise<void> {
  const { terminal } = ops;
  const vocabulary = await vocabularyOf(ops);
  const answers = answersIn(given);
  const suggestion = await named(file, async () =>
    suggested(await readBeginning(file, terminal.stdin), vocabulary, answers),
  );
  checkAnswers(suggestion, answers);
  for (const line of [...suggestionLines(suggestion), ...profileLines(suggestion, vocabulary)]) terminal.tell(line);
  for (const question of suggestion.questions) terminal.tell(questionText(question));
  if (suggestion.questions.length > 0)
    terminal.tell("The mapping can't be used before they are answered, each with --answer ID=ANSWER.");
  terminal.show(suggestion.mapping, JSON.stringify(suggestion.mapping, null, 2));
}

/**
 * On a terminal, asks for the mapping of a file that has no records. The name of the file in which the mapping then is; `records` where
 * the file needs no mapping, and undefined when the person gave up.
 */
export async function askForMapping(ops: Ops, file: string): Promise<{ map: string } | "records" | undefined> {
  const { terminal } = ops;
  if (!terminal.ask) return "records";
  const bytes = await named(file, () => readBeginning(file, terminal.stdin));
  if (!(await isTable(bytes))) return "records";
  const vocabulary = await vocabularyOf(ops);
  const map = `${basename(file)
    .replace(/(?:\.gz)?$/i, "")
    .replace(/\.\w+$/, "")}.map.json`;
  const show = (suggestion: Suggestion) => {
    terminal.tell("");
    for (const line of [...suggestionLines(suggestion), ...profileLines(suggestion, vocabulary)]) terminal.tell(line);
  };
  const agreed = await converse(
    async (answers) => {
      const suggestion = await named(file, () => suggested(bytes, vocabulary, answersIn(pairs(answers))));
      checkColumns(suggestion, answers);
      return suggestion;
    },
    show,
    `Write the mapping to ${map}${existsSync(map) ? ", which exists and is replaced," : ""} and ingest the file?`,
    { tell: terminal.tell, ask: terminal.ask },
  );
  if (!agreed) return undefined;
  writeFileSync(map, `${JSON.stringify(agreed.mapping, null, 2)}\n`);
  return { map };
}

const pairs = (answers: Answers) => Object.entries(answers).map(([id, answer]) => `${id}=${answer}`);

async function vocabularyOf(ops: Ops): Promise<Vocabulary> {
  const dealTypes = readDealTypes((await ops.settings()).TRANCHE_VOCABULARY_FILE);
  return { dealTypes, today: new Date().toISOString().slice(0, 10) };
}

async function suggested(bytes: Buffer, vocabulary: Vocabulary, answers: Answers): Promise<Suggestion> {
  const sample = await sampleOf(bytes, answers["encoding"]);
  const suggestion = suggestMapping(sample, { ...vocabulary, answers });
  if (suggestion) return suggestion;
  const names = sample.values ? rowsAlong(sample, undefined).columns : sample.columns;
  const columns = names.map((column) => `'${column}'`).join(", ");
  throw new SourceError(
    `none of the columns (${columns}) can hold the names of companies. docs/ingest.md says how to write a mapping.`,
  );
}

/** Whether a file is CSV, or JSON without records. Other files are read as they are, and say what they are. */
async function isTable(bytes: Buffer): Promise<boolean> {
  try {
    const { values, columns }: Sample = await sampleOf(bytes);
    if (!values) return columns.length > 1;
    const types: readonly unknown[] = RECORD_TYPES;
    return values.every((value) => !types.includes((value as { type?: unknown }).type));
  } catch {
    return false;
  }
}

/** Names the file of an error. */
async function named<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof SourceError ? new Failure(`${file}: ${error.message}`) : error;
  }
}
