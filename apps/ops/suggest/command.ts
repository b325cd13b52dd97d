import { existsSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import { questionText } from "@tranche/intake/mapping/mapping";
import type { Vocabulary } from "@tranche/intake/mapping/rows";
import { openInput } from "@tranche/intake/sources/input";
import { SourceError } from "@tranche/intake/sources/item";
import { answersIn, checkAnswers, checkColumns } from "@tranche/intake/suggest/answers";
import { beginningOf } from "@tranche/intake/suggest/beginning";
import type { Answers } from "@tranche/intake/suggest/given";
import { previewOf } from "@tranche/intake/suggest/preview";
import type { Suggestion } from "@tranche/intake/suggest/suggest";
import { isTable, suggestionFor } from "@tranche/intake/suggest/suggested";
import { vocabularyToday } from "@tranche/intake/suggest/vocabulary";
import { WrongAnswer } from "@tranche/intake/suggest/wrong-answer";
import { readDealTypes } from "@tranche/shared/process/vocabulary-file";
import type { Ops } from "../context/ops.ts";
import { Failure, WrongUsage } from "../terminal/failure.ts";
import { converse } from "./dialogue.ts";
import { previewLines, suggestionLines } from "./suggestion-text.ts";

/** Shows a first mapping for a file, and says what it was made from and what it leaves open. */
export async function suggestMap(ops: Ops, file: string, given: readonly string[]): Promise<void> {
  const { terminal } = ops;
  const vocabulary = await vocabularyOf(ops);
  const answers = wrongUsage(() => answersIn(given));
  const beginning = await named(file, () => beginningOfFile(file, terminal.stdin));
  const suggestion = await named(file, () => suggestionFor(beginning, vocabulary, answers));
  wrongUsage(() => checkAnswers(suggestion, answers));
  const preview = await previewOf(suggestion, beginning, vocabulary);
  for (const line of [...suggestionLines(suggestion), ...previewLines(preview)]) terminal.tell(line);
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
  const beginning = await named(file, () => beginningOfFile(file, terminal.stdin));
  if (!(await named(file, () => isTable(beginning)))) return "records";
  const vocabulary = await vocabularyOf(ops);
  const map = `${basename(file)
    .replace(/(?:\.gz)?$/i, "")
    .replace(/\.\w+$/, "")}.map.json`;
  if (existsSync(map)) terminal.tell(`There is a ${map}: with --map ${map} it is used, and nothing is asked.`);
  const show = async (suggestion: Suggestion) => {
    terminal.tell("");
    const preview = await previewOf(suggestion, beginning, vocabulary);
    for (const line of [...suggestionLines(suggestion), ...previewLines(preview)]) terminal.tell(line);
  };
  const agreed = await converse(
    async (answers) => {
      const suggestion = await named(file, () => suggestionFor(beginning, vocabulary, answersIn(pairs(answers))));
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

const vocabularyOf = async (ops: Ops): Promise<Vocabulary> =>
  vocabularyToday(readDealTypes((await ops.settings()).TRANCHE_VOCABULARY_FILE));

const beginningOfFile = async (file: string, stdin: Readable) => beginningOf((await openInput(file, stdin)).bytes);

/** A wrong answer is wrong usage of the option that gives it. */
function wrongUsage<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof WrongAnswer ? new WrongUsage(`--answer ${error.message}`) : error;
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
