import { readDealTypes } from "@tranche/shared/settings/vocabulary-file";
import type { Ops } from "../context/ops.ts";
import { parseMapping, questionText } from "../mapping/mapping.ts";
import type { Mapping } from "../mapping/schema.ts";
import { SourceError } from "../sources/item.ts";
import { Failure, WrongUsage } from "../terminal/failure.ts";
import { counted, shownNumber } from "../terminal/numbers.ts";
import { table } from "../terminal/table.ts";
import { profileOf } from "./profile.ts";
import { type Answers, isAnswer } from "./questions.ts";
import { ROLES } from "./roles.ts";
import { readBeginning, rowsAlong, sampleOf } from "./sample.ts";
import { type Suggestion, suggestMapping } from "./suggest.ts";

/** Shows a first mapping for a file, and says what it was made from and what it leaves open. */
export async function suggestMap(ops: Ops, file: string, given: readonly string[]): Promise<void> {
  const { terminal } = ops;
  const vocabulary = await vocabularyOf(ops);
  const answers = answersIn(given);
  const suggestion = await read(file, () => readBeginning(file, terminal.stdin), vocabulary, answers);
  for (const line of suggestionLines(suggestion)) terminal.tell(line);
  for (const line of profileLines(suggestion, vocabulary)) terminal.tell(line);
  for (const question of suggestion.questions) terminal.tell(questionText(question));
  if (suggestion.questions.length > 0)
    terminal.tell("The mapping can't be used before they are answered, each with --answer ID=ANSWER.");
  terminal.show(suggestion.mapping, JSON.stringify(suggestion.mapping, null, 2));
}

type Vocabulary = Parameters<typeof profileOf>[2];

export async function vocabularyOf(ops: Ops): Promise<Vocabulary> {
  const dealTypes = readDealTypes((await ops.settings()).TRANCHE_VOCABULARY_FILE);
  return { dealTypes, today: new Date().toISOString().slice(0, 10) };
}

async function read(
  file: string,
  beginning: () => Promise<Buffer>,
  vocabulary: Vocabulary,
  answers: Answers,
): Promise<Suggestion> {
  try {
    const sample = await sampleOf(await beginning(), answers["encoding"]);
    const suggestion = suggestMapping(sample, { ...vocabulary, answers });
    if (suggestion) return checked(suggestion, answers);
    const named = sample.values ? rowsAlong(sample, undefined).columns : sample.columns;
    const columns = named.map((column) => `'${column}'`).join(", ");
    throw new Failure(
      `${file}: none of the columns (${columns}) can hold the names of companies. docs/ingest.md says how to write a mapping.`,
    );
  } catch (error) {
    throw error instanceof SourceError ? new Failure(`${file}: ${error.message}`) : error;
  }
}

function answersIn(given: readonly string[]): Answers {
  return Object.fromEntries(
    given.map((each) => {
      const at = each.indexOf("=");
      if (at < 1) throw new WrongUsage(`--answer ${each}: expected ID=ANSWER`);
      return [each.slice(0, at), each.slice(at + 1)];
    }),
  );
}

/** Throws where an answer is none of those that its question has, or names a column that the file does not have. */
function checked(suggestion: Suggestion, answers: Answers): Suggestion {
  const { columns } = suggestion.sample;
  for (const [id, answer] of Object.entries(answers)) {
    const open = suggestion.questions.find((question) => question.id === id);
    if (open && !isAnswer(open, answer))
      throw new WrongUsage(`--answer ${id}=${answer}: not an answer.\n${questionText(open)}`);
    if ((ROLES as readonly string[]).includes(id) && answer !== "none" && !columns.includes(answer))
      throw new WrongUsage(`--answer ${id}=${answer}: the file has no column '${answer}'`);
  }
  return suggestion;
}

/** A line for each column, and what concerns the file as a whole. */
function suggestionLines({ columns, notes }: Suggestion): string[] {
  return [
    ...columns.map(({ column, samples, meaning, sure, why }) => {
      const held = samples === "" ? "" : ` (${samples})`;
      return meaning === undefined
        ? `not used: '${column}'${held}: ${why}`
        : `'${column}'${held}: ${meaning}; ${sure === "asked" ? "see the question" : sure}: ${why}`;
    }),
    ...notes,
  ];
}

/** The rows as they will be listed. Amounts whose rate is open are shown in their own currency. */
function profileLines(suggestion: Suggestion, vocabulary: Vocabulary): string[] {
  const mapping = parseMapping(suggestion.mapping, "the suggested mapping");
  const ratesOpen = suggestion.questions.some(({ id }) => id === "rates");
  const currency = mapping.values["amount"]?.currency;
  const shown = ratesOpen && currency ? withUnitRates(mapping, suggestion) : mapping;
  const { rows, good, refused, first, lines } = profileOf(suggestion.sample.rows, shown, vocabulary);
  return [
    ...(ratesOpen ? ["Below, amounts are in the currency of the file, because its rate is open."] : []),
    ...(first.length > 0 ? [table(["day", "company", "country", "type", "amount", "investors"], first, "")] : []),
    ...lines,
    ...refused.map(({ row, reason }) => `row ${row} is refused: ${reason}`),
    `${shownNumber(good)} of the first ${counted(rows, "row")} give records.`,
  ];
}

function withUnitRates(mapping: Mapping, { questions }: Suggestion): Mapping {
  const codes =
    questions
      .find(({ id }) => id === "rates")
      ?.free?.split(",")
      .map((each) => each.split("=")[0]!) ?? [];
  const amount = mapping.values["amount"]!;
  const currency = { ...amount.currency!, rates: Object.fromEntries(codes.map((code) => [code, 1])) };
  return { ...mapping, values: { ...mapping.values, amount: { ...amount, currency } } };
}
