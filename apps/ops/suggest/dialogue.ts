import type { Question } from "@tranche/intake/mapping/schema";
import { typedAnswer } from "@tranche/intake/suggest/answers";
import type { Answers } from "@tranche/intake/suggest/given";
import type { Suggestion } from "@tranche/intake/suggest/suggest";
import { WrongAnswer } from "@tranche/intake/suggest/wrong-answer";

type Talk = {
  tell: (line: string) => void;
  /** The text that a person types after a prompt. */
  ask: (text: string) => Promise<string>;
};

/**
 * Asks a person the questions of a suggestion, one after the other: an answer can open another question, or settle it. At the end the
 * person agrees, gives up, or corrects the column of a meaning. Undefined when they give up.
 */
export async function converse(
  suggest: (answers: Answers) => Promise<Suggestion>,
  show: (suggestion: Suggestion) => Promise<void>,
  agree: string,
  { tell, ask }: Talk,
): Promise<Suggestion | undefined> {
  let answers: Answers = {};
  let suggestion = await suggest(answers);
  /** Suggests again with one more answer. A wrong one is said, and changes nothing: false. */
  const take = async (id: string, answer: string): Promise<boolean> => {
    try {
      suggestion = await suggest({ ...answers, [id]: answer });
      answers = { ...answers, [id]: answer };
      return true;
    } catch (error) {
      if (!(error instanceof WrongAnswer)) throw error;
      tell(error.message);
      return false;
    }
  };

  await show(suggestion);
  for (;;) {
    const [open] = suggestion.questions;
    if (open) {
      const answer = typedAnswer(open, await ask(`\n${asked(open)}\n> `));
      const isTaken = answer !== undefined && (await take(open.id, answer));
      if (suggestion.questions.some(({ id }) => id === open.id)) tell(expected(open));
      else if (isTaken && suggestion.questions.length === 0) await show(suggestion);
      continue;
    }
    const typed = (await ask(`\n${agree} yes, no, or a correction such as amount=COLUMN or date=none\n> `)).trim();
    if (/^y(?:es)?$/i.test(typed)) return suggestion;
    if (/^no?$/i.test(typed)) return undefined;
    const at = typed.indexOf("=");
    if (at < 1) continue;
    const isTaken = await take(typed.slice(0, at).trim(), typed.slice(at + 1).trim());
    if (isTaken && suggestion.questions.length === 0) await show(suggestion);
  }
}

const expected = ({ free }: Question): string =>
  `Expected one of the answers, or its number${free === undefined ? "" : `, or ${free}`}.`;

function asked({ column, question, answers, free }: Question): string {
  return [
    `${column === undefined ? "" : `'${column}': `}${question}`,
    ...Object.entries(answers).map(([answer, meaning], index) => `  ${index + 1}  ${answer}: ${meaning}`),
    ...(free === undefined ? [] : [`  or ${free}`]),
  ].join("\n");
}
