import { currencyOf } from "../mapping/currency.ts";
import type { Question } from "../mapping/schema.ts";
import { unitAndCurrencyOf } from "./amount-name.ts";
import { type Column, MEANINGS, type Role, ROUND_ROLES } from "./roles.ts";

/** A column that may have a role. The lower rank is the better name. */
export type Candidate = { column: Column; rank: number; share: number; precision: number };

/** The rank of a column whose name says nothing, but whose texts do. */
export const UNNAMED = 99;
const MAX_ANSWERS = 8;

/** Asks which one of several columns has a role. */
export function whichColumn(role: Role, candidates: readonly Candidate[]): Question {
  const names = candidates.slice(0, MAX_ANSWERS).map(({ column }) => column);
  const none: Record<string, string> =
    role === "company" ? {} : { none: ROUND_ROLES.has(role) ? "no column" : "leave it out" };
  return {
    id: role,
    question: `Which column holds ${MEANINGS[role]}?`,
    answers: {
      ...Object.fromEntries(names.map(({ name, texts }) => [name, `such as ${samplesOf(texts)}`])),
      ...none,
    },
  };
}

/** Asks whether `Mar 21` has a year or a day. */
export const isYear = ({ name }: Column, text: string): Question => ({
  id: "date",
  column: name,
  question: `Is the number in '${text}' a year? All dates of '${name}' are written so.`,
  answers: { [name]: "yes: the first day of that month", none: "no, it is a day: the column has no years" },
});

/** Asks whether codes are those of countries, or of states. */
export const areCountries = ({ name, texts }: Column): Question => ({
  id: "country",
  column: name,
  question: `Are the codes in '${name}', such as ${samplesOf(texts)}, those of countries?`,
  answers: { [name]: "yes, of countries", none: "no, of states of the United States" },
});

/** Asks which currency counts, where the name of the amount has another one than a column of currencies. */
export function whichCurrency(amount: Column, currency: Column): Question | undefined {
  const named = unitAndCurrencyOf(amount.name).currency;
  if (!named || currency.texts.every((text) => currencyOf(text) === named)) return undefined;
  return {
    id: "currency",
    column: amount.name,
    question: `Its name says ${named}, and '${currency.name}' has ${samplesOf(currency.texts)}. Which one counts?`,
    answers: {
      [currency.name]: "each amount is in the currency of its row",
      none: `all amounts are in ${named}`,
    },
  };
}

export function whyChosen(rank: number, share: number): string {
  const texts = share === 1 ? "all texts fit" : `${Math.floor(100 * share)} % of the texts fit`;
  return rank === UNNAMED ? `${texts}, but its name does not say it` : `by its name, and ${texts}`;
}

/** Why a column that is named like a role has another one, or none. */
export function misfit(role: Role, { texts }: Column, share: number): string {
  return `it is named like ${MEANINGS[role]}, but only ${Math.floor(100 * share)} % of its texts are that, such as ${samplesOf(texts)}`;
}

const SAMPLES = 3;
const MAX_SAMPLE = 40;

/** Some texts of a column: `'Acme', 'Beta'`. */
export const samplesOf = (texts: readonly string[]): string =>
  [...new Set(texts)]
    .slice(0, SAMPLES)
    .map((text) => `'${text.length > MAX_SAMPLE ? `${text.slice(0, MAX_SAMPLE)}…` : text}'`)
    .join(", ");
