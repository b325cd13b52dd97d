import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { ITEM_END } from "../mapping/json-rows.ts";
import type { Order } from "./date-order.ts";
import { type Dates, datesOf } from "./dates.ts";
import { saysNothing } from "./empties.ts";
import type { Question } from "../mapping/schema.ts";
import type { Answers } from "./given.ts";
import { judge, judgeDates, unnamedCompany } from "./candidates.ts";
import { columnKey } from "./column-key.ts";
import {
  areCountries,
  type Candidate,
  isYear,
  UNNAMED,
  whichColumn,
  whichCurrency,
  whyChosen,
} from "./column-texts.ts";
import { mayBeStates } from "./place-columns.ts";
import { recognisers } from "./recognisers.ts";
import { type Column, MEANINGS, type Role, ROLES, ROUND_ROLES } from "./roles.ts";
import type { Sample } from "./sample.ts";
import { replaced, takenOff } from "./taken-off.ts";

/** The column of a role, and why. `more`: numbered ones that go on with its list, such as `Investor 2`. */
export type Chosen = { column: Column; more: readonly Column[]; why: string; sure: boolean };

export type Recognised = {
  columns: readonly Column[];
  chosen: Partial<Record<Role, Chosen>>;
  /** Why a column is not used. */
  unused: Map<string, string>;
  questions: Question[];
  /** How dates are written, by column. */
  dates: (column: Column) => Dates;
};

/** Roles whose items may stand in several columns. */
const LISTS: ReadonlySet<Role> = new Set(["investors", "lead"]);
const NUMBERED = /^(\D+?)-?\d{1,2}$/;
/** Facts that belong to the day that is beside them. */
const OF_EVENTS: ReadonlySet<Role> = new Set(["amount", "deal_type"]);
/** Facts that belong to another list where they are beside the one whose items are the rows. */
const OF_ITEMS: ReadonlySet<Role> = new Set(["laid_off", "job"]);
/** Facts that may be those of several rounds in one row. */
const OF_ALL_EVENTS: ReadonlySet<Role> = new Set(["currency", "unit", "source"]);
/** Roles for which a person is asked where two columns could have them. For others the first one is taken, and the other named. */
const ASKED: ReadonlySet<Role> = new Set([
  "company",
  "date",
  "amount",
  "currency",
  "deal_type",
  "investors",
  "lead",
  "country",
]);

/** Recognises columns by their names and, so that a name does not mislead, by what they hold. A column has one role. */
export function recognise(sample: Sample, dealTypes: DealTypes, today: string, answers: Answers): Recognised {
  const columns = columnsOf(sample);
  const known = recognisers(dealTypes, columns);
  const read = new Map<Column, Dates>();
  const dates = (column: Column): Dates => {
    const found =
      read.get(column) ?? datesOf(column.texts, column.name, today, answers["date_order"] as Order | undefined);
    read.set(column, found);
    return found;
  };

  const chosen: Recognised["chosen"] = {};
  const unused = new Map<string, string>();
  const questions: Question[] = [];
  const taken = new Set<Column>();
  for (const role of ROLES) {
    const given = answers[role];
    if (given === "none") continue;
    const candidates = given === undefined ? candidatesOf(role) : [];
    const best = given === undefined ? candidates[0]?.column : columns.find(({ name }) => name === given);
    if (!best) continue;
    const { rank = 0, share = 1, precision = 0 } = candidates[0] ?? {};
    const more = given === undefined && LISTS.has(role) ? numberedWith(best).filter((each) => !taken.has(each)) : [];
    const equal = candidates.filter(
      (each) => each.rank === rank && each.precision === precision && !more.includes(each.column),
    );
    const doubt = given === undefined ? doubtOf(role, best) : undefined;
    const isOpen = ASKED.has(role) && (equal.length > 1 || rank === UNNAMED || doubt !== undefined);
    if (isOpen) questions.push(doubt ?? whichColumn(role, equal));
    for (const { column } of candidates.slice(1))
      unused.set(column.name, `it could be ${MEANINGS[role]}, which is taken from '${best.name}'`);
    chosen[role] = {
      column: best,
      more,
      why: given === undefined ? whyChosen(rank, share) : "as you say",
      sure: equal.length < 2 && !isOpen && (given !== undefined || (rank <= 1 && share >= 0.9)),
    };
    for (const each of [best, ...more]) taken.add(each);
  }
  settleCurrency();
  for (const column of columns) {
    if (taken.has(column)) unused.delete(column.name);
    else if (column.name === "") unused.set("", "it has no name");
    else if (!unused.has(column.name)) unused.set(column.name, "no field of a record holds it");
    if (column.texts.length === 0 && !taken.has(column)) unused.set(column.name, "it is empty");
  }
  return { columns, chosen, unused, questions, dates };

  /** The question about a column whose texts have two meanings, of which one is that of the role. */
  function doubtOf(role: Role, column: Column): Question | undefined {
    const openYear = role === "date" ? dates(column).openYear : undefined;
    if (openYear !== undefined) return isYear(column, openYear);
    return role === "country" && mayBeStates(column) ? areCountries(column) : undefined;
  }

  /** A currency in the name of the amount contradicts a column of currencies, unless that one belongs to another amount. */
  function settleCurrency(): void {
    const { amount, currency } = chosen;
    const isAsked = answers["currency"] !== undefined || questions.some(({ id }) => id === "currency");
    if (!amount || !currency || isAsked) return;
    const question = whichCurrency(amount.column, currency.column);
    if (!question) return;
    const other = columns.find((column) => unused.get(column.name)?.endsWith(`taken from '${amount.column.name}'`));
    if (other) {
      delete chosen.currency;
      taken.delete(currency.column);
      unused.set(currency.column.name, `it is the currency of '${other.name}'`);
      return;
    }
    questions.push(question);
  }

  function candidatesOf(role: Role): Candidate[] {
    // Month and day have columns of their own only beside one with years.
    const isPart = role === "month" || role === "day";
    if (isPart && (!chosen.date || dates(chosen.date.column).precision !== 0)) return [];
    const given = new Set(ROLES.flatMap((each) => answers[each] ?? []));
    const free = columns.filter(({ name }) => name !== "" && !given.has(name)).filter((column) => !taken.has(column));
    const of = (orParts: boolean): Candidate[] =>
      free.flatMap((column) => {
        const beside = { orParts, date: chosen.date?.column };
        const judged = role === "date" ? judgeDates(column, dates(column)) : judge(role, known[role], column, beside);
        if (typeof judged === "string") unused.set(column.name, judged);
        return typeof judged === "object" ? [judged] : [];
      });
    const whole = of(false);
    const found = whole.some(({ column }) => column.texts.length > 0) ? whole : of(true);
    if (role === "company" && found.length === 0) return free.flatMap((column) => unnamedCompany(column));
    const texts = found.filter(({ column }) => column.texts.length > 0);
    const certain = texts.filter(({ column }) => doubtOf(role, column) === undefined);
    const filled = certain.length > 0 ? certain : texts;
    // Of columns without texts nothing tells which one it is.
    const held = ofItems(role, filled.length > 0 ? filled : found.slice(0, 1));
    const named = held.filter(({ rank }) => rank !== UNNAMED);
    // A full date is better than a month or a year; then the better name.
    return (named.length > 0 ? named : held).toSorted((a, b) => b.precision - a.precision || a.rank - b.rank);
  }

  /** The other columns of `Investor 1`, `Investor 2` and so on. */
  function numberedWith({ key }: Column): Column[] {
    const base = NUMBERED.exec(key)?.[1];
    if (base === undefined) return [];
    return columns.filter((each) => each.key !== key && NUMBERED.exec(each.key)?.[1] === base);
  }

  /** Where the items of a list in JSON are the rows, they have the facts of an event, and an amount beside the list is another one. */
  function ofItems(role: Role, candidates: readonly Candidate[]): readonly Candidate[] {
    const { path, events } = sample;
    const isIn = ({ name }: Column) => events?.has(name) ?? name.startsWith(`${path}.`);
    const within = candidates.filter(({ column }) => isIn(column));
    if (path !== undefined && OF_ITEMS.has(role)) return within;
    if ((path === undefined && !events) || !ROUND_ROLES.has(role)) return candidates;
    const areEvents = chosen.date !== undefined && isIn(chosen.date.column);
    const isApart = events ? !OF_ALL_EVENTS.has(role) : areEvents && OF_EVENTS.has(role);
    if (within.length === 0 && !isApart) return candidates;
    for (const { column } of candidates)
      if (!isIn(column))
        unused.set(
          column.name,
          path === undefined
            ? "the rounds have columns of their own"
            : `it is beside '${path}', whose items are the rows`,
        );
    return within;
  }
}

/** The columns of a sample, with the texts that say something. */
function columnsOf(sample: Sample): Column[] {
  return sample.columns.map((name) => {
    const texts = sample.rows.map((row) => cleaned(row[name]!)).filter((text) => text !== "");
    const off = takenOff(texts);
    return {
      name,
      key: columnKey(name, sample),
      off,
      texts: texts.map((text) => replaced(text, off)).filter((text) => text !== "" && !saysNothing(text)),
    };
  });
}

const cleaned = (text: string) => text.split(ITEM_END).filter(Boolean).join(", ").replace(/\s+/gu, " ").trim();
