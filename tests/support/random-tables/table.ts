import { amountNotation } from "./amounts.ts";
import { dateHeader, dateNotation, type Precision } from "./dates.ts";
import { asCsv, asJson, type Cell, encodingFor } from "./files.ts";
import { type Fact, HEADERS, type Language } from "./headers.ts";
import { type Random, randomOf, shuffle } from "./random.ts";
import { COUNTRIES, type Script, trueRound, type TrueRound, TYPES } from "./rounds.ts";

/** A table in a random notation, what it says, and the right answers to questions about it. */
export type RandomTable = {
  bytes: Buffer;
  rounds: TrueRound[];
  /** The columns of the facts that the table has. */
  columns: Partial<Record<Fact, string>>;
  columnCount: number;
  answers: Record<string, string>;
  precision: Precision;
  notation: string;
};

const EMPTY = ["", "", "N/A", "-", "undisclosed", "n/a", "k.A."];
const SEPARATORS = [", ", "; ", ";", " | ", "|", "\n", " / "];

/** Other columns of tables: none of them is a fact of a round. */
const EXTRA: readonly (readonly [name: string, write: (random: Random, row: number) => string])[] = [
  ["Year Founded", (random) => String(1995 + random.below(25))],
  ["Valuation", (random) => String(1_000_000 * (1 + random.below(500)))],
  ["Notes", (random) => random.pick(["", "see news", "follow up"])],
  ["Employees", (random) => String(1 + random.below(900))],
  ["Last Updated", (random) => `2025-0${1 + random.below(9)}-1${random.below(9)}`],
  ["#", (_, row) => String(row + 1)],
  ["Number of investors", (random) => String(random.below(9))],
  ["Industry", (random) => random.pick(["Fintech", "Health", "Energy"])],
  ["Website", (random) => `https://www.site${random.below(1000)}.example/`],
  ["Equity %", (random) => `${1 + random.below(30)}%`],
  ["CEO", (random) => random.pick(["Ann Lee", "Bo Chen", "Cy Diaz"])],
  ["Revenue (USD)", (random) => String(1000 * random.below(9000))],
];

export function randomTable(seed: number): RandomTable {
  const random = randomOf(seed);
  const script = random.pick<Script>(["latin", "latin", "western", "western", "cyrillic", "chinese"]);
  const language: Language =
    script === "western"
      ? random.pick(["de", "fr", "es", "en"])
      : random.chance(0.1)
        ? random.pick(["de", "fr", "es"])
        : "en";
  const encoding = encodingFor(random, script, language);
  const dates = dateNotation(random, encoding);
  const currency = random.pick(["USD", "USD", "USD", "USD", "EUR", "GBP", "INR"]);
  const rounds = Array.from({ length: 1 + random.below(random.pick([5, 40])) }, () =>
    trueRound(random, script, currency),
  );
  const amounts = amountNotation(random, currency, encoding, language);
  if (amounts.perRow) for (const round of rounds) round.currency = random.pick(["USD", "EUR", "GBP"]);
  const empty = random.pick(EMPTY);
  const separator = random.pick(SEPARATORS);
  const codes = random.chance(0.4);
  const name = (fact: keyof (typeof HEADERS)["en"]) => random.pick(HEADERS[language][fact]);

  const columns: RandomTable["columns"] = { company: name("company") };
  const cells: Cell[] = [{ header: columns.company!, write: ({ company }) => company }];
  const add = (fact: keyof RandomTable["columns"], header: string, write: (round: TrueRound) => string) => {
    if (cells.some((each) => each.header === header)) return;
    columns[fact] = header;
    cells.push({ header, write });
  };
  if (random.chance(0.95)) add("date", dateHeader(random, name("date"), dates), ({ date }) => dates.write(date));
  if (random.chance(0.9))
    add("amount", amounts.header(name("amount")), (round) => (round.amount === null ? empty : amounts.write(round)));
  if (amounts.perRow && columns.amount) add("currency", name("currency"), (round) => round.currency);
  if (random.chance(0.8)) add("type", name("type"), ({ type }) => TYPES.find(([, key]) => key === type)![0]);
  if (random.chance(0.8)) add("investors", name("investors"), ({ investors }) => investors.join(separator));
  if (random.chance(0.7))
    add("country", name("country"), ({ country }) =>
      codes ? country : COUNTRIES.find(({ code }) => code === country)![language],
    );
  if (random.chance(0.6)) add("city", name("city"), ({ city }) => city);
  for (const [header, write] of EXTRA)
    if (random.chance(0.2)) cells.push({ header, write: (_, row) => write(random, row) });
  shuffle(random, cells);

  const written =
    encoding === "utf8" && random.chance(0.4)
      ? asJson(random, cells, rounds, columns.investors)
      : asCsv(random, cells, rounds, encoding);
  return {
    bytes: written.bytes,
    rounds,
    columns,
    columnCount: cells.length,
    precision: dates.precision,
    answers: {
      encoding: encoding.startsWith("utf") ? "utf8" : encoding,
      ...(dates.order ? { date_order: dates.order } : {}),
      amount_unit: amounts.answer,
      amount_currency: currency,
      amount_decimal: amounts.decimal === "," ? "comma" : "point",
      rates: ["EUR=2", "GBP=3", "INR=0.5"].join(","),
    },
    notation: `${encoding}, ${written.name}, ${dates.name}, ${amounts.name}, ${language}, list ${JSON.stringify(separator)}`,
  };
}
