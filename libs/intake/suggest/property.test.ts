import { expect, test } from "vitest";
import { bySuggestion, type Made, ofType } from "../../../tests/support/by-suggestion.ts";
import { RATES, type TrueRound } from "../../../tests/support/random-tables/rounds.ts";
import { randomTable, type RandomTable } from "../../../tests/support/random-tables/table.ts";

/** Random tables in random notations: a suggestion is right, or asks. SUGGESTED_TABLES sets their number. */
const TABLES = Number(process.env["SUGGESTED_TABLES"] ?? 300);
/** Share of the columns about which a person is asked. */
const MAX_ASKED = 0.15;
/** Share of the facts whose column is not used, with its reason. */
const MAX_LEFT = 0.05;

type Round = {
  company_id: string;
  announced_date: string;
  amount_usd: number | null;
  deal_type?: string;
  investor_ids?: string[];
};

function dayOf({ date }: TrueRound, precision: RandomTable["precision"]): string {
  const month = precision === "year" ? 1 : precision === "quarter" ? 3 * Math.ceil(date.month / 3) - 2 : date.month;
  const day = precision === "day" ? date.day : 1;
  return `${date.year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** What the records of a table say otherwise than the table. Columns that are not used say nothing. */
function wrong(table: RandomTable, made: Made): string[] {
  const { columns, rounds, precision } = table;
  const report = (column: string | undefined) => made.suggestion!.columns.find((each) => each.column === column);
  const isUsed = (fact: keyof RandomTable["columns"]) => report(columns[fact])?.meaning !== undefined;
  const companies = new Map(ofType(made, "company").map((company) => [company["id"], company]));
  const investors = new Map(ofType(made, "investor").map((investor) => [investor["id"], investor["name"]]));
  const read = ofType(made, "round") as unknown as Round[];
  const facts = (round: TrueRound) =>
    JSON.stringify([
      round.company,
      dayOf(round, precision),
      isUsed("amount") && round.amount !== null ? Math.round(100 * round.amount * RATES[round.currency]!) : null,
      isUsed("type") ? round.type : null,
      isUsed("investors") ? round.investors.toSorted() : [],
    ]);
  const readFacts = (round: Round) =>
    JSON.stringify([
      companies.get(round.company_id)?.["name"],
      round.announced_date,
      round.amount_usd === null ? null : Math.round(100 * round.amount_usd),
      round.deal_type ?? null,
      (round.investor_ids ?? []).map((id) => String(investors.get(id))).toSorted(),
    ]);
  const problems: string[] = [];
  if (read.length > 0) {
    const expected = rounds.map(facts).toSorted();
    const found = read.map(readFacts).toSorted();
    // Rows that are refused are said; equal rows are kept apart.
    const left = [...expected];
    for (const each of found) {
      const at = left.indexOf(each);
      if (at === -1) problems.push(`read ${each}, expected one of ${expected.slice(0, 3).join(" ")}`);
      else left.splice(at, 1);
    }
    if (made.refused.length === 0 && left.length > 0) problems.push(`not read: ${left[0]}`);
  }
  if (isUsed("country"))
    for (const company of companies.values()) {
      const possible = rounds.filter((round) => round.company === company["name"]).map(({ country }) => country);
      if (!possible.includes(company["country"] as string))
        problems.push(
          `country ${String(company["country"])} of ${String(company["name"])}, expected ${possible.join()}`,
        );
    }
  if (isUsed("city"))
    for (const company of companies.values()) {
      const possible = rounds.filter((round) => round.company === company["name"]).map(({ city }) => city);
      if (!possible.includes(company["city"] as string))
        problems.push(`city ${String(company["city"])} of ${String(company["name"])}`);
    }
  return problems;
}

/** The answers that a person would give to the questions about a table. */
function answersTo(table: RandomTable, made: Made): Record<string, string> {
  return Object.fromEntries(
    made.suggestion!.questions.map(({ id, answers }) => {
      const role = id === "deal_type" ? "type" : id;
      const column = table.columns[role as keyof RandomTable["columns"]];
      const answer = table.answers[id] ?? (column !== undefined && Object.hasOwn(answers, column) ? column : "none");
      return [id, answer];
    }),
  );
}

test(`of ${TABLES} random tables none is read wrongly without a question`, { timeout: 600_000 }, async () => {
  const failures: string[] = [];
  const asked: Record<string, number> = {};
  const left: Record<string, number> = {};
  let [questions, columns, facts, refused, rows] = [0, 0, 0, 0, 0];
  for (let seed = 0; seed < TABLES; seed++) {
    const table = randomTable(seed);
    let made = await bySuggestion(table.bytes);
    const first = made;
    columns += table.columnCount;
    facts += Object.keys(table.columns).length;
    if (!made.suggestion) {
      left["no suggestion"] = (left["no suggestion"] ?? 0) + 1;
      continue;
    }
    questions += made.suggestion.questions.length;
    for (const { id } of made.suggestion.questions) asked[id] = (asked[id] ?? 0) + 1;
    // An answer may open another question, such as the rate of a currency.
    const answers: Record<string, string> = {};
    for (let round = 0; round < 4 && made.suggestion && made.suggestion.questions.length > 0; round++) {
      Object.assign(answers, answersTo(table, made));
      made = await bySuggestion(table.bytes, answers);
    }
    for (const [fact, column] of Object.entries(table.columns))
      if (made.suggestion?.columns.find((each) => each.column === column)?.meaning === undefined)
        left[fact] = (left[fact] ?? 0) + 1;
    rows += table.rounds.length;
    refused += made.refused.length;
    const open = made.suggestion?.questions.map(({ id }) => `open: ${id}`) ?? ["no suggestion"];
    const problems = [...open, ...wrong(table, made)];
    if (problems.length > 0)
      failures.push(
        `seed ${seed} (${table.notation}; asked ${first.suggestion!.questions.map(({ id }) => id).join()}): ${problems[0]}`,
      );
  }
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);
  console.log(
    `${TABLES} tables: ${failures.length} wrong; asked about ${((100 * questions) / columns).toFixed(1)} % of ${columns} columns ${JSON.stringify(asked)}; ` +
      `not used ${sum(left)} of ${facts} ${JSON.stringify(left)}; refused ${refused} of ${rows} rows`,
  );
  expect(failures).toEqual([]);
  expect(questions / columns).toBeLessThanOrEqual(MAX_ASKED);
  expect(sum(left) / facts).toBeLessThanOrEqual(MAX_LEFT);
  expect(refused / rows).toBeLessThanOrEqual(MAX_LEFT);
});
