import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { anyOf } from "@tranche/intake/mapping/condition";
import { countryIn } from "@tranche/intake/mapping/country";
import { monthOf } from "@tranche/intake/mapping/month-names";
import { currencyOf } from "@tranche/intake/mapping/currency";
import { ITEM_END } from "@tranche/intake/mapping/json-rows";
import { counted } from "@tranche/shared/domain/text/numbers";
import { type Amounts, amountsOf } from "./amounts.ts";
import type { Recognised } from "./columns.ts";
import { emptiesOf } from "./empties.ts";
import { escaped, labelCases } from "./labels.ts";
import type { Question } from "@tranche/intake/mapping/schema";
import type { Kind } from "./kind.ts";
import type { Answers } from "./given.ts";
import { type Column, type Role } from "./roles.ts";
import type { Sample } from "./sample.ts";

/** The source of the values of a file. */
export type Table = Recognised & {
  sample: Sample;
  kind: Kind;
  /** A round has a row for each of its investors. */
  perInvestor: boolean;
};

export type Values = {
  values: Record<string, object>;
  questions: Question[];
  /** Remarks on columns for a person, by their names. */
  notes: [column: string, note: string, isGuess?: boolean][];
};

/** How the values of a row are read, and what the texts leave open. */
export function valuesOf(table: Table, dealTypes: DealTypes, answers: Answers): Values {
  const { chosen, kind, perInvestor, sample } = table;
  const column = (role: Role) => chosen[role]?.column;
  const questions: Question[] = [];
  const notes: Values["notes"] = [];
  const values: Record<string, object> = {};

  const add = (name: string, role: Role, rest: object = {}) => {
    const found = column(role);
    if (found) values[name] = { column: found.name, ...emptyOf(role, found), ...rest };
  };
  const emptyOf = (role: Role, { name }: Column) => {
    const empty = emptiesOf(role, rawTexts(sample, name));
    return empty.length > 0 ? { empty } : {};
  };
  const slug = { replace: [["^.*/", ""]] };

  add("name", "company");
  add("slug", "company_slug", slug);
  add("country", "country", { as: "country" });
  const city = column("city") ?? column("region");
  const further = column("city") && column("region");
  if (city)
    values["city"] = {
      column: further ? [city.name, further.name] : city.name,
      ...emptyOf("city", city),
    };
  add("category", "category");
  add("domain", "domain", {
    replace: [
      ["^https?://", ""],
      ["^www\\.", ""],
      ["/.*$", ""],
    ],
  });
  add("founded_year", "founded_year", { replace: [["\\.0$", ""]], as: "number", else: null });
  add("headcount", "headcount", { as: "number", else: null });
  if (kind === "companies") return { values, questions, notes };

  addDate(column("date")!);
  const source = column("source");
  if (source) add("source", "source", { when: { column: source.name, fits: "https?://\\S+" } });
  if (kind === "acquisitions") add("acquirer", "acquirer");
  if (kind !== "rounds") return { values, questions, notes };

  const type = column("deal_type");
  if (type) {
    const cases = labelCases(type.texts, dealTypes);
    add("deal_type", "deal_type", { ...(cases.length > 0 ? { cases } : {}), as: "label" });
    const unknown = type.texts.filter(
      (text) => dealTypes.find(text) === undefined && !cases.some(([from]) => from === escaped(text)),
    );
    if (unknown.length > 0)
      notes.push([
        type.name,
        `'other' for ${counted(unknown.length, "label")} that match no deal type, such as '${unknown[0]}'`,
      ]);
  }
  const amount = column("amount");
  if (amount) addAmount(amount);
  if (perInvestor) {
    if (amount) values["amount_text"] = { column: amount.name, default: "undisclosed" };
    add("investor", "investors");
    add("investor_slug", "investor_slug", slug);
  } else addList("investors", "investors");
  addList("leads", "lead");
  add("round_slug", "round_slug", slug);
  return { values, questions, notes };

  function addDate(found: Column): void {
    const { formats, replace, open, why, example, coarse, unread } = table.dates(found);
    const [month, day] = [column("month"), column("day")];
    if (month) {
      const parts = [found, month, ...(day ? [day] : [])];
      const m =
        monthOf(month.texts[0] ?? "") === undefined
          ? "M"
          : month.texts.some((text) => /^\p{L}{4,}/u.test(text))
            ? "MMMM"
            : "MMM";
      values["date"] = {
        column: parts.map(({ name }) => name),
        replace: [["\\.0$", ""]],
        ...emptyOf("date", found),
        join: "-",
        as: "date",
        formats: [`yyyy-${m}${day ? "-d" : ""}`, "yyyy"],
      };
      return;
    }
    values["date"] = {
      column: found.name,
      ...emptyOf("date", found),
      ...(replace.length > 0 ? { replace } : {}),
      as: "date",
      formats: formats.length > 0 ? formats : ["yyyy-MM-dd"],
    };
    if (open.length > 1)
      questions.push({
        id: "date_order",
        column: found.name,
        question: `Which part of the dates comes first? All of them, such as '${example}', can be read in both ways.`,
        answers: Object.fromEntries(open.map((order) => [order, ORDER_TEXTS[order]])),
        place: "values.date.formats",
      });
    if (why !== undefined) notes.push([found.name, why]);
    if (coarse > 0)
      notes.push([found.name, `${counted(coarse, "text")} with only a year, a quarter or a month: its first day`]);
    if (unread.length > 0)
      notes.push([
        found.name,
        `not readable, so their rows are refused: ${unread.map((text) => `'${text}'`).join(", ")}`,
      ]);
  }

  function addAmount(found: Column): void {
    const amounts = amountsOf(found.texts, found.name);
    const decimal =
      answered("amount_decimal") === "comma" ? "," : answered("amount_decimal") === "point" ? "." : amounts.decimal;
    if (amounts.openDecimal !== undefined && answered("amount_decimal") === undefined)
      questions.push({
        id: "amount_decimal",
        column: found.name,
        question: `Does the mark in '${amounts.openDecimal}' separate decimals or group thousands?`,
        answers: decimalAnswers(amounts.openDecimal),
        place: "values.amount.decimal",
      });
    const factor = factorOf(found, amounts);
    const currency = currencySetting(found, amounts);
    const ownUnits = amounts.mixedUnits && factor !== 1;
    const replace = [...amounts.replace, ...(ownUnits ? [[BARE, `$1 ${UNIT_WORDS[factor] ?? ""}`]] : [])];
    const hasUnread = amounts.unreadCount > 0;
    const { empty = [] } = emptyOf("amount", found);
    // With a currency `else` would also hide amounts that have no rate.
    const unreadable = hasUnread && currency !== undefined ? unreadPatterns(amounts.unread) : [];
    const allEmpty = [...empty, ...unreadable];
    values["amount"] = {
      column: found.name,
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
    if (factor !== 1)
      notes.push([
        found.name,
        `${ownUnits ? "texts without a unit are" : "amounts are"} multiplied by ${factor.toLocaleString("en")}`,
      ]);
  }

  function answered(id: string): string | undefined {
    return answers[id];
  }

  function factorOf({ name }: Column, { openUnit, factor, example }: Amounts): number {
    const given = answered("amount_unit");
    const known = Object.values(UNITS).find(({ answer }) => answer === given)?.factor;
    if (known !== undefined) return known;
    if (openUnit !== undefined)
      questions.push({
        id: "amount_unit",
        column: name,
        question: `What is '${example}': ones, thousands or millions? Because ${openUnit}.`,
        answers: Object.fromEntries(UNITS.map(({ answer, text }) => [answer, text])),
        place: "values.amount.factor",
      });
    return factor;
  }

  function currencySetting(
    found: Column,
    amounts: Amounts,
  ): { column?: string; is?: string; rates: object } | undefined {
    const ofRow = column("currency");
    const given = answered("amount_currency");
    const { named, marks } = amounts;
    const others = (codes: readonly (string | undefined)[]) =>
      [
        ...new Set(codes.flatMap((code) => (code === undefined || code === "USD" || code === "$" ? [] : [code]))),
      ].toSorted();
    const written = others([...marks, ...(ofRow?.texts.map(currencyOf) ?? [])]);
    let is = (given === undefined ? undefined : currencyOf(given)) ?? named;
    const isUnnamed = is === undefined && ofRow === undefined;
    if (isUnnamed && isCurrencyOpen(found, amounts, written.length > 0)) {
      questions.push({
        id: "amount_currency",
        column: found.name,
        question: `In which currency are amounts such as '${amounts.example ?? found.texts[0]}', which do not say it?`,
        answers: Object.fromEntries([["USD", "US dollars"], ...written.map((code) => [code, code])]),
        free: "the code of a currency, such as EUR",
        place: "values.amount.currency.is",
      });
    } else if (isUnnamed && amounts.hasBare && amounts.marks.length === 0)
      notes.push([found.name, "no currency is named: taken as US dollars", true]);
    is = is === "USD" || is === "$" ? undefined : is;
    const codes = others([is, ...written]);
    if (codes.length === 0 && ofRow === undefined) return undefined;
    const rates = ratesIn(answered("rates"), codes);
    if (rates === undefined && codes.length > 0)
      questions.push({
        id: "rates",
        column: found.name,
        question: `How many US dollars is one unit of ${codes.join(", ")}?`,
        answers: { refuse: "no rate: rows in these currencies are refused" },
        free: codes.map((code) => `${code}=1.1`).join(","),
        place: "values.amount.currency.rates",
      });
    return { ...(ofRow ? { column: ofRow.name } : {}), ...(is === undefined ? {} : { is }), rates: rates ?? {} };
  }

  /** Whether amounts without a currency, or with a bare `$`, may be in another one than the US dollar. */
  function isCurrencyOpen(found: Column, { marks, hasBare }: Amounts, hasOthers: boolean): boolean {
    const home = onlyCountry();
    if (marks.length === 1 && marks[0] === "$" && home !== undefined && DOLLAR_COUNTRIES.has(home)) return true;
    if (!hasBare) return false;
    if (marks.length > 0) return hasOthers;
    return !ENGLISH_AMOUNT.test(found.key) || (home !== undefined && home !== "US");
  }

  /** The country of nearly all rows. */
  function onlyCountry(): string | undefined {
    const countries = (column("country")?.texts ?? []).map(countryIn);
    const [first] = countries;
    const same = countries.filter((each) => each === first).length;
    return countries.length >= MANY && same >= MOST * countries.length ? first : undefined;
  }

  function addList(name: string, role: Role): void {
    const found = column(role);
    if (!found) return;
    const texts = rawTexts(sample, found.name);
    const separator = separatorOf(texts) ?? askedSeparator(name, found, texts);
    values[name] = {
      column: found.name,
      ...emptyOf(role, found),
      as: "list",
      ...(separator === undefined ? {} : { separator: escaped(separator) }),
      leave_out: ["others?", "undisclosed.*"],
    };
  }

  /** Marks that separate names in some files and are part of them in others. */
  function askedSeparator(name: string, found: Column, texts: readonly string[]): string | undefined {
    const mark = UNSURE_SEPARATORS.find((each) => isOften(each, texts));
    if (mark === undefined || texts.some((text) => text.includes(ITEM_END)) || isOften(",", texts)) return undefined;
    const given = answered("list_separator");
    if (given === "split") return mark;
    if (given !== "keep")
      questions.push({
        id: "list_separator",
        column: found.name,
        question: `Does '${mark.trim()}' separate names, as in '${texts.find((text) => text.includes(mark))}'?`,
        answers: { split: "it separates names", keep: "it is part of a name" },
        place: `values.${name}.separator`,
      });
    return undefined;
  }
}

const ORDER_TEXTS = {
  day_first: "the day, then the month",
  month_first: "the month, then the day",
  year_first: "the year",
} as const;

/** From this number of rows on their countries say something. */
const MANY = 5;
const MOST = 0.9;
/** Countries other than the United States that write their currency with a bare `$`. */
const DOLLAR_COUNTRIES = new Set(["AU", "CA", "NZ", "SG", "HK", "TW", "MX", "AR", "CL", "CO", "UY"]);
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

const RANGE = "[^-–—]*\\d[^-–—]*[-–—][^-–—]*\\d[^-–—]*";

/** Expressions for texts that are not one amount: one for all ranges, and the others as they are. */
function unreadPatterns(texts: readonly string[]): string[] {
  const isRange = anyOf([RANGE]);
  return [...(texts.some(isRange) ? [RANGE] : []), ...texts.filter((text) => !isRange(text)).map(escaped)];
}

const decimalAnswers = (example: string) =>
  example.includes(",")
    ? { point: "it groups thousands", comma: "it separates decimals" }
    : { comma: "it groups thousands", point: "it separates decimals" };

/** `EUR=1.08,GBP=1.27`, or `1.08` for the only currency; undefined when it is not that, and `{}` for `refuse`. */
function ratesIn(answer: string | undefined, codes: readonly string[]): Record<string, number> | undefined {
  if (answer === undefined) return undefined;
  if (answer === "refuse") return {};
  const rates = answer.split(/[,;\s]+/).map((part): [string, number] => {
    const [code, rate] = part.includes("=") ? part.split("=") : [codes[0], part];
    return [code!.trim().toUpperCase(), Number(rate)];
  });
  const isRead = rates.every(([code, rate]) => currencyOf(code) !== undefined && rate > 0);
  return isRead && codes.every((code) => rates.some(([given]) => given === code))
    ? Object.fromEntries(rates)
    : undefined;
}

/** Marks that no name has, so that one text with them is enough, and others that separate where several texts have them. */
const SURE_SEPARATORS = [";", "；", "|", "\n", "、", "，"];
const SEPARATORS = [" / ", "•", " + "];
const UNSURE_SEPARATORS = ["/", " and ", " & ", " und ", " et ", "+", " - "];
const SEPARATES_FROM = 0.05;

const isOften = (mark: string, texts: readonly string[]) =>
  texts.filter((text) => text.trim().includes(mark)).length > SEPARATES_FROM * texts.length;

/** The separator of items in lists; undefined for commas, and where JSON has them apart. */
export function separatorOf(texts: readonly string[]): string | undefined {
  if (texts.some((text) => text.includes(ITEM_END))) return undefined;
  const count = (mark: string) => texts.filter((text) => text.trim().includes(mark)).length;
  const [most] = SURE_SEPARATORS.toSorted((a, b) => count(b) - count(a));
  return count(most!) > 0 ? most : SEPARATORS.find((mark) => isOften(mark, texts));
}

const rawTexts = ({ rows }: Sample, column: string): string[] =>
  rows.map((row) => row[column]!.trim()).filter((text) => text !== "");
