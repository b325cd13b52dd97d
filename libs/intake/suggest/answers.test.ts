import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bySuggestion } from "../../../tests/support/by-suggestion.ts";
import { randomTable } from "../../../tests/support/random-tables/table.ts";
import type { Question } from "../mapping/schema.ts";
import { answersIn, checkAnswers, checkColumns, typedAnswer } from "./answers.ts";
import type { Answers } from "./given.ts";

/** Random tables, beside files of their own. */
const TABLES = 60;
/** Each answer may open another question, but not without end. */
const MAX_ROUNDS = 6;

const csv = (...lines: string[]) => Buffer.from(`${lines.join("\n")}\n`);
const cases = join(import.meta.dirname, "cases");
const FILES: Record<string, Buffer> = {
  ...Object.fromEntries(readdirSync(cases).map((name) => [name, readFileSync(join(cases, name))])),
  "two lists that are split in different ways": csv(
    "Company,Date,Amount,Investors,Lead investors",
    'A,2021-01-13,$1M,"Blue, Red and Green",Blue & Sons',
    'B,2021-01-14,$2M,"Blue, Grey and Green",Red & Co',
  ),
  "names of columns that are numbers, repeat in another case, or are missing": csv(
    "Company,Date,Amount,amount,,1,2",
    "A,2021-01-13,500000,600000,$5m,$6m,$7m",
  ),
  "no column named like what it holds": csv("a,b,c,d", "Acme,13.01.2020,€5,$7", "Beta,14.01.2020,€6,$8"),
  "a currency in the name beside two columns of others": csv(
    "Company,Date,Amount (EUR),Currency,Investor currency",
    "A,02/03/2021,500000,USD,GBP",
    "B,04/03/2021,1.250,CHF,GBP",
  ),
  "rounds in columns of their own": csv(
    "Firma;Seed Datum;Seed Betrag;Seed Investoren;Serie A Datum;Serie A Betrag;Serie A Investoren",
    "Acme;01.02.2020;1,250;Blue und Red;03.04.2021;5;Green",
    "Beta;05.06.2020;2,500;Blue und Red;;;",
  ),
};

const answersTo = ({ answers, free }: Question): string[] => [
  ...Object.keys(answers),
  ...(free?.match(/(?<=such as ).*/) ?? []),
];

/** Gives every answer to the first open question, and then to those that follow. */
async function settle(name: string, content: Buffer, answers: Answers = {}): Promise<void> {
  const { suggestion } = await bySuggestion(content.subarray(0, 20_000), answers);
  expect([name, answers, suggestion]).not.toContain(undefined);
  const { questions } = suggestion!;
  const ids = questions.map(({ id }) => id);
  expect([name, answers, ids]).toEqual([name, answers, [...new Set(ids)]]);
  expect([name, ids, ids.filter((id) => id in answers)]).toEqual([name, ids, []]);
  expect(Object.keys(answers).length).toBeLessThanOrEqual(MAX_ROUNDS);
  checkAnswers(suggestion!, answers);
  checkColumns(suggestion!, answers);
  const [open] = questions;
  if (!open) return;
  const possible = answersTo(open);
  expect([name, open.id, possible.length]).not.toContain(0);
  for (const [index, answer] of possible.entries()) {
    // The three ways to give it: by its number, as a text at a terminal, and as an option.
    if (index < Object.keys(open.answers).length) expect(typedAnswer(open, String(index + 1))).toBe(answer);
    if (!/^\d{1,2}$/.test(answer)) expect(typedAnswer(open, answer)).toBe(answer);
    await settle(name, content, { ...answers, ...answersIn([`${open.id}=${answer}`]) });
  }
}

test.each(Object.entries(FILES))("every answer settles its question: %s", (name, content) => settle(name, content));

test(`every answer settles its question in ${TABLES} random tables`, { timeout: 300_000 }, async () => {
  for (let seed = 0; seed < TABLES; seed++) await settle(`seed ${seed}`, randomTable(seed).bytes);
});
