import { RECORD_TYPES } from "@tranche/shared/domain/records/record";
import iconv from "iconv-lite";
import { z } from "zod";

const pattern = z.string().refine(isPattern, "is not a valid regular expression");
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** On the whole text of a column; case does not matter. */
const condition = z
  .strictObject({ column: z.string().min(1), fits: pattern.optional(), not: pattern.optional() })
  .refine(({ fits, not }) => (fits === undefined) !== (not === undefined), "expected either 'fits' or 'not'");
const conditions = z.union([condition, z.array(condition)]).transform((given) => [given].flat());

/** US dollars for one unit: one rate, or a rate by year. */
const rate = z.union([
  z.number().positive(),
  z.record(z.string().regex(/^\d{4}$/, "expected a year"), z.number().positive()),
]);

/** How one value is read from a row. Every step is optional; they are taken in this order. */
const value = z.strictObject({
  /** The first of several columns that is not empty counts; with `join` all that are not empty; for lists all. */
  column: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).transform((given) => [given].flat()),
  join: z.string().optional(),
  /** Where one of them does not hold, the value is null. */
  when: conditions.default([]),
  /** Replacements in the text, one after the other: [regular expression, replacement]. */
  replace: z.array(z.tuple([pattern, z.string()])).default([]),
  /** Texts and items that mean "empty" (compared whole, case ignored), beside those of the whole file. */
  empty: z.array(pattern).default([]),
  /** The first expression that the whole text fits gives the value; case is ignored. */
  cases: z.array(z.tuple([pattern, scalar])).default([]),
  /** In place of what `cases` did not find: null when there is none, the text itself otherwise. */
  otherwise: scalar.optional(),
  as: z.enum(["text", "label", "country", "date", "amount", "number", "list"]).default("text"),
  /** Dates: formats of Luxon, such as `dd/MM/yyyy`, or `iso`, `excel`, `unix` and `unix_ms`; the first that fits counts. */
  formats: z.array(z.string().min(1)).min(1).optional(),
  /** Amounts and numbers: the character before the decimals; the other one, blanks and apostrophes group digits. */
  decimal: z.enum([".", ","]).optional(),
  /** Amounts: rounded to this number of decimals. */
  decimals: z.int().min(0).max(2).optional(),
  /** Amounts: multiplied by it. */
  factor: z.number().positive().optional(),
  /** Amounts: where their currency is given (`column`, else `is`), US dollars for one unit, and the date value whose year counts. */
  currency: z
    .strictObject({
      column: z.string().min(1).optional(),
      is: z.string().optional(),
      rates: z.record(z.string(), rate).default({}),
      year: z.string().optional(),
    })
    .optional(),
  /** Lists: the separator of the items, and items to leave out (compared whole, by their key). */
  separator: pattern.optional(),
  leave_out: z.array(pattern).optional(),
  /** In place of what can't be read, which else refuses the row. */
  else: scalar.optional(),
  /** In place of null, at the end. */
  default: scalar.optional(),
});

const listItem = z.union([
  z.string(),
  /** One object, or with `for_each` one for each item of a list, which is `{item}`. */
  z.record(z.string(), scalar),
]);

const record = z.strictObject({
  type: z.enum(RECORD_TYPES),
  op: z.enum(["upsert", "merge", "delete"]).default("upsert"),
  /** Name of a list: one record for each item, which is `{item}`. */
  for_each: z.string().optional(),
  /** Where one of them does not hold, the row makes no such record. */
  when: conditions.default([]),
  /** Rows repeat it: later ones fill in what the earlier ones left empty, and add to its lists. */
  merge: z.boolean().default(false),
  /** Templates: `{name}` alone is the value as it is; within a text it is put in; `{name:key}` is its key. */
  fields: z.record(z.string(), z.union([scalar, z.array(listItem)])),
});

const separatingText = z
  .string()
  .min(1)
  .max(5)
  .refine((text) => !/[\r\n]/.test(text), "must not hold a line break");
const quoteCharacter = z.string().regex(/^[^\r\n]$/, "expected one character, not a line break");

/** A decision that a person has to take before the mapping can be used: the answers with their meanings. */
const question = z.strictObject({
  id: z.string(),
  column: z.string().optional(),
  question: z.string(),
  answers: z.record(z.string(), z.string()),
  free: z.string().optional(),
  place: z.string().optional(),
});

export const mappingSchema = z.strictObject({
  /** For people. */
  description: z.string().optional(),
  questions: z.array(question).default([]),
  /** JSON is an array, one value per line, or one object; a member is a column, and nested ones have dots between their names. */
  format: z.enum(["csv", "json"]).default("csv"),
  /** The path of a nested list of JSON: a row for each of its items, beside the members around it. */
  for_each: z.string().min(1).optional(),
  encoding: z
    .string()
    .refine((name) => iconv.encodingExists(name), "is not a known encoding, such as utf8, macroman or latin1")
    .default("utf8"),
  delimiter: separatingText.default(","),
  /** The quote character of fields; null where quotes are plain text. */
  quote: quoteCharacter.nullable().default('"'),
  /** The character before a quote inside a quoted field; by default the quote itself. */
  escape: quoteCharacter.optional(),
  line_ends: z.enum(["lf", "crlf", "cr", "any"]).default("any"),
  /** Names of the columns, where the file has no line with them. */
  columns: z.array(z.string().min(1)).optional(),
  /** Bytes and line ends written as signs, such as `\xc2\xa0` and `\n`, are read as what they mean. */
  decode_escapes: z.boolean().default(false),
  /** Texts that say nothing (compared whole, case ignored). */
  empty: z.array(pattern).default([]),
  /** Rows that are equal in every column to an earlier one are left out. */
  drop_duplicate_rows: z.boolean().default(false),
  /** Rows in which the column's whole text fits are left out. */
  skip: z.array(condition).default([]),
  values: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/, "expected a name such as announced_date"), value),
  records: z.array(record).min(1),
});

export type Mapping = z.output<typeof mappingSchema>;
export type ValueRule = z.output<typeof value>;
export type RecordRule = z.output<typeof record>;
export type Question = z.output<typeof question>;
export type Condition = z.output<typeof condition>;

/** The columns that a mapping names, each once. */
export function mappedColumns(mapping: Mapping): string[] {
  const { values, records, skip } = mapping;
  const tested = [
    ...skip,
    ...Object.values(values).flatMap((rule) => rule.when),
    ...records.flatMap((rule) => rule.when),
  ];
  const columns = Object.values(values).flatMap((rule) => [...rule.column, rule.currency?.column ?? []].flat());
  return [...new Set([...columns, ...tested.map(({ column }) => column)])];
}

function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text, "iu"));
  } catch {
    return false;
  }
}
