import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { type Recognised, recognise, samplesOf } from "./columns.ts";
import type { Question } from "../mapping/schema.ts";
import { countryIn } from "../mapping/country.ts";
import { ITEM_END, listPaths } from "../mapping/json-rows.ts";
import type { Answers } from "./given.ts";
import { recordsOf } from "./records.ts";
import { escaped } from "./labels.ts";
import { isUsed, type Kind, kindNote, kindOf, meaningOf } from "./kind.ts";
import { MEANINGS, type Role, ROUND_ROLES } from "./roles.ts";
import { isRowPerInvestor } from "./row-per-investor.ts";
import { rowsAlong, type Sample } from "./sample.ts";
import { totalsIn } from "./totals.ts";
import { type Values, valuesOf } from "./values.ts";

/** The meaning of a column, how sure that is, and why. */
export type ColumnReport = {
  column: string;
  samples: string;
  /** The id of its meaning; missing where it is not used. */
  role?: Role;
  meaning: string | undefined;
  sure: "sure" | "likely" | "asked" | "not used";
  why: string;
};

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
  // One object around a list is a table in itself only where it holds no list.
  const tried =
    given === undefined
      ? [...(values.length === 1 && paths.length > 0 ? [] : [undefined]), ...paths]
      : [given === "none" ? undefined : given];
  const samples = tried.map((path) => rowsAlong(sample, path));
  const told = new Map(samples.map((each) => [each, samples.length === 1 ? 0 : factsTold(each, context)]));
  let ofCompanies: Suggestion | undefined;
  for (const each of samples.toSorted((a, b) => told.get(b)! - told.get(a)!)) {
    const suggestion = suggestFor(each, context, paths);
    if (suggestion && suggestion.kind !== "companies") return suggestion;
    ofCompanies ??= suggestion;
  }
  return ofCompanies;
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
  const hasDays = told.some(({ column, role }) => role === "date" && column.startsWith(`${sample.path}.`));
  return told.length + (hasDays ? sample.path!.split(".").length / MANY_LEVELS : 0);
}

/** Lists are nested less deeply. */
const MANY_LEVELS = 100;

const LIST_ROLES: ReadonlySet<Role> = new Set(["investors", "lead"]);

function suggestFor(
  sample: Sample,
  { dealTypes, today, answers = {} }: Context,
  lists: string[],
): Suggestion | undefined {
  const recognised = recognise(sample, dealTypes, today, answers);
  const { chosen } = recognised;
  if (!chosen.company) return undefined;
  const kind = kindOf(chosen, answers["kind"]);
  const perInvestor = kind === "rounds" && isRowPerInvestor(sample, chosen);
  const table = { ...recognised, sample, kind, perInvestor };
  const values = valuesOf(table, dealTypes, answers);
  const company = chosen.company.column;
  const totals = totalsIn(sample, company);
  const roleQuestions = recognised.questions.filter(({ id }) => isUsed(id as Role, kind));
  const questions = [...encodingQuestion(sample), ...roleQuestions, ...values.questions];
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
      values: values.values,
      records: recordsOf(table, values.values),
    },
    columns: reports(table, values, questions),
    questions,
    notes: notesOf(table, totals),
    sample,
    kind,
    lists,
  };
}

const quoted = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(", ");

/** Texts that show whether the encoding is right. */
const foreignTexts = ({ rows, columns }: Sample): string[] =>
  rows.flatMap((row) => columns.map((column) => row[column]!)).filter((text) => /[^\0-\x7f]/.test(text));

function encodingQuestion(sample: Sample): Question[] {
  const { encoding } = sample;
  if (encoding.others.length === 0) return [];
  return [
    {
      id: "encoding",
      question: `In which encoding is the file? It is not Unicode. In ${encoding.name} it has texts such as ${samplesOf(foreignTexts(sample))}.`,
      answers: Object.fromEntries(
        [encoding.name, ...encoding.others].map((name) => [name, `read the file as ${name}`]),
      ),
      free: "the name of an encoding",
      place: "encoding",
    },
  ];
}

function reports(
  { columns, chosen, unused, kind }: Recognised & { kind: Kind },
  { notes }: Values,
  questions: readonly Question[],
): ColumnReport[] {
  const roles = new Map(
    (Object.keys(chosen) as Role[]).flatMap((role) => {
      const { column, more } = chosen[role]!;
      return [column, ...more].map((each) => [each, role] as const);
    }),
  );
  return columns.map((column) => {
    const { name } = column;
    const role = roles.get(column);
    const found = role && chosen[role];
    const samples = samplesOf(column.texts);
    if (!role || !found) return { column: name, samples, meaning: undefined, sure: "not used", why: unused.get(name)! };
    if (!isUsed(role, kind))
      return {
        column: name,
        samples,
        meaning: undefined,
        sure: "not used",
        why: `it would be ${MEANINGS[role]}, and ${kind === "rounds" ? "the rows are about rounds" : "there are no rounds"}`,
      };
    const isAsked = questions.some((question) => question.column === name || question.id === role);
    const isGuess = notes.some(([of, , guess]) => of === name && guess);
    const why = [found.why, ...notes.flatMap(([of, note]) => (of === name ? [note] : []))].join("; ");
    return {
      column: name,
      samples,
      role,
      meaning: meaningOf(role, kind),
      sure: isAsked ? "asked" : found.sure && !isGuess ? "sure" : "likely",
      why,
    };
  });
}

/** A name that rows with different countries have. */
function namesakeIn({ rows }: Sample, { company, country }: Recognised["chosen"]): string | undefined {
  if (!company || !country) return undefined;
  const countries = new Map<string, string>();
  return rows
    .map((row) => [row[company.column.name]!.trim(), countryIn(row[country.column.name]!)] as const)
    .find(([name, found]) => {
      const before = countries.get(name);
      if (found !== undefined && before === undefined) countries.set(name, found);
      return found !== undefined && before !== undefined && before !== found;
    })?.[0];
}

function notesOf(
  { sample, chosen, kind }: Recognised & { sample: Sample; kind: Kind },
  totals: readonly string[],
): string[] {
  const { encoding } = sample;
  const namesake = chosen.company_slug ? undefined : namesakeIn(sample, chosen);
  return [
    sample.path !== undefined && `Each item of '${sample.path}' is a row.`,
    encoding.isGuess &&
      `The encoding ${encoding.name} is a guess: check texts such as ${samplesOf(foreignTexts(sample))}.`,
    namesake !== undefined &&
      `Rows of '${namesake}' have different countries: rows with one name are one company, and its first country counts.`,
    totals.length > 0 && `Rows of ${quoted(totals)} sum up others, and are left out.`,
    kindNote(kind, chosen.date !== undefined),
  ].filter((note) => typeof note === "string");
}
