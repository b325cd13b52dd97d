import { anyOf } from "../mapping/condition.ts";
import { countryIn } from "../mapping/country.ts";
import { currencyOf, mayStandFor } from "../mapping/currency.ts";
import type { Question } from "../mapping/schema.ts";
import { counted } from "@tranche/shared/domain/text/numbers";
import { amountsOf, LARGE_UNIT } from "./amounts.ts";
import type { Answers } from "./given.ts";
import { escaped } from "./labels.ts";
import { countryOfPlace } from "./places.ts";
import { exampleOfRates, ratesIn } from "./rates.ts";
import type { Column } from "./roles.ts";
import type { Sample } from "./sample.ts";
import { replaced } from "./taken-off.ts";
import { emptyOf, type Note, type Table, type ValuePart } from "./table.ts";

/** How the amounts of a row are read: their decimal mark, unit and currency, which are asked where nothing decides. */
export function amountValue(table: Table, found: Column, answers: Answers): ValuePart {
  const questions: Question[] = [];
  const notes: Note[] = [];
  const unit = table.chosen.unit?.column;
  const amounts = amountsOf(unit ? withUnits(table.sample, found, unit) : found.texts, found.name);
  const decimal =
    answers["amount_decimal"] === "comma" ? "," : answers["amount_decimal"] === "point" ? "." : amounts.decimal;
  const factor = factorOf();
  // A unit that a person gave may have thousandths, too.
  const open = amounts.openUnit !== undefined && factor >= LARGE_UNIT ? amounts.unclearDecimal : amounts.openDecimal;
  if (open !== undefined && answers["amount_decimal"] === undefined)
    questions.push({
      id: "amount_decimal",
      column: found.name,
      question: `Does the mark in '${open}' separate decimals or group thousands?`,
      answers: decimalAnswers(open),
      place: "values.amount.decimal",
    });
  const currency = currencySetting();
  const ownUnits = amounts.mixedUnits && factor !== 1;
  const replace = [...found.off, ...amounts.replace, ...(ownUnits ? [[BARE, `$1 ${UNIT_WORDS[factor] ?? ""}`]] : [])];
  const hasUnread = amounts.unreadCount > 0;
  const { empty = [] } = emptyOf(table.sample, "amount", found);
  // With a currency `else` would also hide amounts that have no rate.
  const unreadable = hasUnread && currency !== undefined ? unreadPatterns(amounts.unread) : [];
  const allEmpty = [...empty, ...unreadable];
  const value = {
    ...(unit
      ? { column: [found.name, unit.name], join: " ", when: { column: found.name, fits: ".*\\d.*" } }
      : { column: found.name }),
    ...(replace.length > 0 ? { replace } : {}),
    ...(allEmpty.length > 0 ? { empty: allEmpty } : {}),
    as: "amount",
    ...(decimal === "," ? { decimal } : {}),
    ...(factor !== 1 && !ownUnits ? { factor } : {}),
    ...(currency === undefined ? {} : { currency }),
    ...(hasUnread && currency === undefined ? { else: null } : {}),
  };
  if (hasUnread)
    notes.push([
      found.name,
      `null for ${counted(amounts.unreadCount, "text")} that can't be read as one amount, such as '${amounts.unread[0]}'`,
    ]);
  if (/total/.test(found.key) && !/deal|round/.test(found.key))
    notes.push([found.name, "by its name it may be the total of several rounds", true]);
  if (/ticket|invested|che(?:que|ck)-size/.test(found.key))
    notes.push([found.name, "by its name it may be what one investor gave, and not the round", true]);
  if (factor !== 1)
    notes.push([
      found.name,
      `${ownUnits ? "texts without a unit are" : "amounts are"} multiplied by ${factor.toLocaleString("en")}`,
    ]);
  return { value, questions, notes };

  function factorOf(): number {
    const { openUnit, example } = amounts;
    const given = answers["amount_unit"];
    const known = Object.values(UNITS).find(({ answer }) => answer === given)?.factor;
    if (known !== undefined) return known;
    if (openUnit !== undefined)
      questions.push({
        id: "amount_unit",
        column: found.name,
        question: `What is '${example}': ones, thousands or millions? Because ${openUnit}.`,
        answers: Object.fromEntries(UNITS.map(({ answer, text }) => [answer, text])),
        place: "values.amount.factor",
      });
    return amounts.factor;
  }

  function currencySetting(): { column?: string; is?: string; rates: object } | undefined {
    const ofRow = table.chosen.currency?.column;
    const given = answers["amount_currency"];
    const { named, marks } = amounts;
    const others = (codes: readonly (string | undefined)[]) =>
      [
        ...new Set(codes.flatMap((code) => (code === undefined || code === "USD" || code === "$" ? [] : [code]))),
      ].toSorted();
    const ofRows = ofRow?.texts.map(currencyOf) ?? [];
    const written = others([...marks, ...ofRows]);
    let is = (given === undefined ? undefined : currencyOf(given)) ?? named;
    const isUnnamed = is === undefined && ofRow === undefined;
    if (isUnnamed && isCurrencyOpen(written.length > 0)) {
      questions.push({
        id: "amount_currency",
        column: found.name,
        question: `In which currency are amounts such as '${amounts.example ?? found.texts[0]}', which do not say it?`,
        answers: Object.fromEntries([
          ["USD", "US dollars"],
          ...(amounts.isIndian ? [["INR", "Indian rupees"]] : []),
          ...written.map((code) => [code, code]),
        ]),
        free: "the code of a currency, such as EUR",
        place: "values.amount.currency.is",
      });
    } else if (isUnnamed && amounts.hasBare && amounts.marks.length === 0)
      notes.push([found.name, "no currency is named: taken as US dollars", true]);
    is = is === "USD" || is === "$" ? undefined : is;
    // In `25 kr`, beside a column that says SEK, the mark names no further currency.
    const codes = others([is, ...written]).filter(
      (code) => ![is, ...ofRows].some((known) => known !== undefined && mayStandFor(code, known)),
    );
    if (codes.length === 0 && ofRow === undefined) return undefined;
    const rates = ratesIn(answers["rates"], codes);
    if (rates === undefined && codes.length > 0)
      questions.push({
        id: "rates",
        column: found.name,
        question: `How many US dollars is one unit of ${codes.join(", ")}?`,
        answers: { refuse: "no rate: rows in these currencies are refused" },
        free: exampleOfRates(codes),
        place: "values.amount.currency.rates",
      });
    return { ...(ofRow ? { column: ofRow.name } : {}), ...(is === undefined ? {} : { is }), rates: rates ?? {} };
  }

  /** Whether amounts without a currency, or with a bare `$`, may be in another one than the US dollar. */
  function isCurrencyOpen(hasOthers: boolean): boolean {
    const { marks, hasBare, namesSeveral } = amounts;
    const areDollars = marks.length === 1 && marks[0] === "$";
    if (areDollars && areNearlyAll((country) => DOLLAR_COUNTRIES.has(country!))) return true;
    if (!hasBare) return false;
    if (namesSeveral || LOCAL.test(found.key)) return true;
    if (marks.length > 0) return hasOthers;
    const isForeign = areNearlyAll((country, first) => country === first && first !== undefined && first !== "US");
    return amounts.isIndian || !ENGLISH_AMOUNT.test(found.key) || isForeign || hasUnusedCurrencies();
  }

  /** Whether a column that has no other meaning holds currencies. */
  function hasUnusedCurrencies(): boolean {
    const used = new Set(Object.values(table.chosen).map(({ column }) => column));
    return table.columns.some(
      (column) =>
        !used.has(column) && column.texts.length > 0 && column.texts.every((text) => currencyOf(text) !== undefined),
    );
  }

  /** Whether nearly all rows have such a country. `first`: that of the first row. */
  function areNearlyAll(isSuch: (country: string | undefined, first: string | undefined) => boolean): boolean {
    const { country, city } = table.chosen;
    const countries = country ? country.column.texts.map(countryIn) : (city?.column.texts ?? []).map(countryOfPlace);
    const such = countries.filter((each) => isSuch(each, countries[0])).length;
    return countries.length >= MANY && such >= MOST * countries.length;
  }
}

const withUnits = ({ rows }: Sample, amount: Column, unit: Column): string[] =>
  rows
    .map((row) => `${replaced(row[amount.name]!, amount.off)} ${row[unit.name]!}`.trim())
    .filter((text) => /\d/.test(text));

/** From this number of rows on their countries say something. */
const MANY = 5;
const MOST = 0.9;
/** Countries other than the United States that write their currency with a bare `$`. */
const DOLLAR_COUNTRIES = new Set(["AU", "CA", "NZ", "SG", "HK", "TW", "MX", "AR", "CL", "CO", "UY"]);
const LOCAL = /(?:^|-)(?:local|original|native)(?:-|$)/;
const ENGLISH_AMOUNT = /^[a-z-]*(?:amount|raised|size|value|funding|funds|money|total|investment|capital|usd)/;
const BARE = "^([^\\p{L}]+)$";
const UNIT_WORDS: Readonly<Record<number, string>> = { 1e3: "k", 1e5: "lakh", 1e6: "m", 1e7: "crore", 1e9: "bn" };
const UNITS = [
  { answer: "ones", factor: 1, text: "as they are written" },
  { answer: "thousands", factor: 1e3, text: "multiplied by 1,000" },
  { answer: "lakhs", factor: 1e5, text: "multiplied by 100,000" },
  { answer: "millions", factor: 1e6, text: "multiplied by 1,000,000" },
  { answer: "crores", factor: 1e7, text: "multiplied by 10,000,000" },
  { answer: "billions", factor: 1e9, text: "multiplied by 1,000,000,000" },
];

/** What stands before a digit is none itself, so that a text of a million digits takes linear time. */
const RANGE = "[^-–—\\d]*\\d[^-–—]*[-–—][^-–—\\d]*\\d[^-–—]*";

/** Expressions for texts that are not one amount: one for all ranges, and the others as they are. */
function unreadPatterns(texts: readonly string[]): string[] {
  const isRange = anyOf([RANGE]);
  return [...(texts.some(isRange) ? [RANGE] : []), ...texts.filter((text) => !isRange(text)).map(escaped)];
}

const decimalAnswers = (example: string) =>
  example.includes(",")
    ? { point: "it groups thousands", comma: "it separates decimals" }
    : { comma: "it groups thousands", point: "it separates decimals" };
