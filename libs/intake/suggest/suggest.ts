import { quoted } from "@tranche/shared/domain/text/quoted";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { ITEM_END, listPaths } from "../mapping/json-rows.ts";
import type { Question } from "../mapping/schema.ts";
import { SourceError } from "../sources/item.ts";
import { recognise } from "./columns.ts";
import { forEachRound } from "./each-round.ts";
import type { Answers } from "./given.ts";
import { isUsed, type Kind, kindOf } from "./kind.ts";
import { escaped } from "./labels.ts";
import { encodingQuestion, notesOf } from "./notes.ts";
import { otherEventsIn } from "./other-events.ts";
import { recordsOf } from "./records.ts";
import { type ColumnReport, ofAllRounds, reports } from "./reports.ts";
import { type Column, type Role, ROUND_ROLES } from "./roles.ts";
import { answersFor, notesOfRounds, roundColumnsIn } from "./round-columns.ts";
import { isRowPerInvestor } from "./row-per-investor.ts";
import { rowsAlong, type Sample } from "./sample.ts";
import { secondHeader } from "./second-header.ts";
import { totalsIn } from "./totals.ts";
import { valuesOf } from "./values.ts";

export type Suggestion = {
  mapping: object;
  columns: ColumnReport[];
  questions: Question[];
  /** About the file as a whole. */
  notes: string[];
  /** The rows that it was made from. */
  sample: Sample;
  kind: Kind;
  /** The nested lists of JSON whose items could be the rows. */
  lists: string[];
};

const MAX_VALUES = 50;
/** Nested lists that are tried as rows. */
const MAX_PATHS = 20;
/** Rows by which lists are compared. */
const COMPARED_ROWS = 200;

type Context = { dealTypes: DealTypes; today: string; answers?: Answers };

/** A first mapping for a file, from the names and texts of its columns; undefined when no column can hold the companies. */
export function suggestMapping(sample: Sample, context: Context): Suggestion | undefined {
  if (!sample.values) return suggestFor(sample, context, []);
  const { values } = sample;
  const paths = [...new Set(values.slice(0, MAX_VALUES).flatMap((value) => listPaths(value)))].slice(0, MAX_PATHS);
  const given = context.answers?.["for_each"];
  const tried = given === undefined ? [undefined, ...paths] : [given === "none" ? undefined : given];
  const samples = tried.map((path) => rowsAlong(sample, path));
  const told = new Map(samples.map((each) => [each, samples.length === 1 ? 0 : factsTold(each, context)]));
  let ofCompanies: Suggestion | undefined;
  for (const each of samples.toSorted((a, b) => told.get(b)! - told.get(a)!)) {
    const suggestion = suggestFor(each, context, paths);
    if (suggestion && suggestion.kind !== "companies") return suggestion;
    if (given !== undefined || !suggestion || !hasNamesInList(suggestion)) ofCompanies ??= suggestion;
  }
  return ofCompanies;
}

/** Whether one row would hold the names of several companies. Then the rows are the items of that list, not the object around it. */
function hasNamesInList({ sample, columns, lists }: Suggestion): boolean {
  if (sample.path !== undefined) return false;
  return columns.some(({ role, column }) => role === "company" && lists.some((list) => column.startsWith(`${list}.`)));
}

/**
 * How many facts of events the first rows tell without a question. A fact that some rows have several times belongs to a list in them.
 * Of lists that tell as many, the innermost one that has the days comes first.
 */
function factsTold(sample: Sample, context: Context): number {
  const rows = sample.rows.slice(0, COMPARED_ROWS);
  const suggestion = suggestFor({ ...sample, rows, isWhole: false }, context, []);
  if (!suggestion || suggestion.kind === "companies") return 0;
  const isSeveral = (column: string) => rows.some((row) => row[column]!.includes(ITEM_END));
  const told = suggestion.columns.filter(
    ({ column, role, sure }) =>
      role !== undefined && ROUND_ROLES.has(role) && sure !== "asked" && (LIST_ROLES.has(role) || !isSeveral(column)),
  );
  // What came before the round of the row is a part of it.
  const isBefore = /(?:previous|prior|past|earlier)[^.]*$/i.test(sample.path ?? "");
  const hasDays = !isBefore && told.some(({ column, role }) => role === "date" && column.startsWith(`${sample.path}.`));
  return told.length + (hasDays ? sample.path!.split(".").length / MANY_LEVELS : 0);
}

/** Lists are nested less deeply. */
const MANY_LEVELS = 100;

const LIST_ROLES: ReadonlySet<Role> = new Set(["investors", "lead"]);

function suggestFor(
  written: Sample,
  { dealTypes, today, answers: given = {} }: Context,
  lists: string[],
): Suggestion | undefined {
  const second = secondHeader(written);
  if (second)
    throw new SourceError(
      `has two lines with names of columns: the second one has ${quoted(second)}. Make one line of them`,
    );
  const apart = roundColumnsIn(written, dealTypes, today);
  const sample = apart?.sample ?? written;
  const answers = apart ? answersFor(apart, given) : given;
  const recognised = recognise(sample, dealTypes, today, answers);
  const { chosen } = recognised;
  if (!chosen.company?.sure) assertNamed(recognised.columns);
  if (!chosen.company) return undefined;
  const kind = kindOf(chosen, answers["kind"]);
  const perInvestor = kind === "rounds" && isRowPerInvestor(sample, chosen);
  const others = kind === "rounds" ? otherEventsIn(recognised.columns) : undefined;
  const table = { ...recognised, sample, kind, perInvestor, others };
  const values = valuesOf(table, dealTypes, answers);
  const company = chosen.company.column;
  const totals = totalsIn(written, company);
  const roleQuestions = recognised.questions.filter(({ id }) => isUsed(id as Role, kind));
  // Each round has values of its own, so that no single place in the mapping has the answer.
  const ofValues = values.questions.map((question) => (apart ? { ...question, place: undefined } : question));
  const questions = [...encodingQuestion(sample), ...roleQuestions, ...ofValues];
  const ofRow = { values: values.values, records: recordsOf(table, values.values) };
  const made = apart ? forEachRound(apart, ofRow) : ofRow;
  return {
    mapping: {
      description: "Suggested from the beginning of a file: look at each column before you rely on it.",
      ...(questions.length > 0 ? { questions } : {}),
      ...(sample.values ? { format: "json" } : {}),
      ...(sample.path === undefined ? {} : { for_each: sample.path }),
      ...(sample.encoding.name === "utf8" ? {} : { encoding: sample.encoding.name }),
      ...(sample.delimiter === "," ? {} : { delimiter: sample.delimiter }),
      ...(sample.quote === '"' ? {} : { quote: sample.quote }),
      ...(sample.lineEnds === "any" ? {} : { line_ends: sample.lineEnds }),
      ...(totals.length === 0 ? {} : { skip: totals.map((total) => ({ column: company.name, fits: escaped(total) })) }),
      ...made,
    },
    columns: ofAllRounds(reports(table, values, questions), written, apart),
    questions,
    notes: [...notesOf(table, totals), ...(apart && kind === "rounds" ? notesOfRounds(apart) : [])],
    sample: written,
    kind,
    lists,
  };
}

/** Throws a SourceError where a column without a name may have those of the companies. Numbers in it are those of the rows. */
function assertNamed(columns: readonly Column[]): void {
  const text = columns.find(({ name }) => name === "")?.texts.find((each) => !/^\d+$/.test(each));
  if (text !== undefined)
    throw new SourceError(
      `has no name for the column with texts such as '${text.slice(0, 60)}': give it one in the first line`,
    );
}
