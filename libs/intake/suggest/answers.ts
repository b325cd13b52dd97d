import iconv from "iconv-lite";
import { questionText } from "../mapping/mapping.ts";
import type { Question } from "../mapping/schema.ts";
import { KINDS } from "./kind.ts";
import type { Answers } from "./given.ts";
import { ROLES } from "./roles.ts";
import type { Suggestion } from "./suggest.ts";
import { WrongAnswer } from "./wrong-answer.ts";

/** The answers that have the same meaning for every file; undefined where the file decides. */
const CLOSED: Readonly<Record<string, ((answer: string) => boolean) | undefined>> = {
  encoding: (name) => iconv.encodingExists(name),
  kind: (name) => (KINDS as readonly string[]).includes(name),
  date_order: (order) => ["day_first", "month_first", "year_first"].includes(order),
  amount_decimal: (mark) => ["point", "comma"].includes(mark),
  list_separator: (answer) => ["split", "keep"].includes(answer),
  lead_separator: (answer) => ["split", "keep"].includes(answer),
  amount_unit: undefined,
  amount_currency: undefined,
  rates: undefined,
  for_each: undefined,
};

/** Reads answers that are written as `id=answer`. Throws WrongAnswer. */
export function answersIn(given: readonly string[]): Answers {
  return Object.fromEntries(
    given.map((each) => {
      const at = each.indexOf("=");
      if (at < 1) throw new WrongAnswer(`${each}: expected ID=ANSWER`);
      const [id, answer] = [each.slice(0, at), each.slice(at + 1)];
      const problem = answerProblem(id, answer);
      if (problem !== undefined) throw new WrongAnswer(`${each}: ${problem}`);
      return [id, answer];
    }),
  );
}

/** The fault of an answer that is wrong for every file. */
function answerProblem(id: string, answer: string): string | undefined {
  const ids = [...Object.keys(CLOSED), ...ROLES];
  if (!ids.includes(id)) return `no question is called '${id}'. Known: ${ids.join(", ")}`;
  return CLOSED[id]?.(answer) === false ? `'${answer}' is not an answer to '${id}'` : undefined;
}

/** Throws WrongAnswer where an answer does not answer its question. */
export function checkAnswers(suggestion: Suggestion, answers: Answers): void {
  checkColumns(suggestion, answers);
  for (const [id, answer] of Object.entries(answers)) {
    const open = suggestion.questions.find((question) => question.id === id);
    if (open) throw new WrongAnswer(`${id}=${answer}: not an answer.\n${questionText(open)}`);
  }
}

/** Throws WrongAnswer where the column of a meaning, or the list with the rows, does not exist. */
export function checkColumns({ sample }: Suggestion, answers: Answers): void {
  const list = answers["for_each"] ?? "none";
  if (list !== "none" && !sample.columns.some((name) => name.startsWith(`${list}.`)))
    throw new WrongAnswer(`for_each=${list}: the file has no list '${list}'`);
  for (const [id, answer] of Object.entries(answers))
    if ((ROLES as readonly string[]).includes(id) && answer !== "none" && !sample.columns.includes(answer))
      throw new WrongAnswer(`${id}=${answer}: the file has no column '${answer}'`);
}

/** The answer that a person typed: its number, itself, or what the question takes beside its answers. */
export function typedAnswer({ answers, free }: Question, typed: string): string | undefined {
  const names = Object.keys(answers);
  const text = typed.trim();
  if (/^\d{1,2}$/.test(text) && names[Number(text) - 1] !== undefined) return names[Number(text) - 1];
  return (
    names.find((name) => name === text) ??
    names.find((name) => name.toLowerCase() === text.toLowerCase()) ??
    (free === undefined || text === "" ? undefined : text)
  );
}
