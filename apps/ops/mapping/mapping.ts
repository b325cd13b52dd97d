import { readFileSync } from "node:fs";
import { RECORD_TYPES } from "@tranche/shared/records/record";
import iconv from "iconv-lite";
import { z } from "zod";
import { WrongUsage } from "../terminal/failure.ts";

const pattern = z.string().refine(isPattern, "is no regular expression");
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** How one value is read from a row. Every step is optional; they are taken in this order. */
const value = z.strictObject({
  column: z.string().min(1),
  /** Replacements in the text, one after the other: [regular expression, replacement]. */
  replace: z.array(z.tuple([pattern, z.string()])).optional(),
  /** Texts that say nothing (compared whole, case ignored), beside those of the whole file. */
  empty: z.array(pattern).optional(),
  /** The first expression that the whole text fits gives the value; case is ignored. */
  cases: z.array(z.tuple([pattern, scalar])).optional(),
  /** In place of what `cases` did not find: null when there is none, the text itself otherwise. */
  otherwise: scalar.optional(),
  as: z.enum(["text", "label", "date", "amount", "list"]).default("text"),
  /** Dates: formats of Luxon, such as `dd/MM/yyyy`; the first that fits counts. */
  formats: z.array(z.string().min(1)).optional(),
  /** Amounts: what stands before the cents, `.` or `,`; the other one, blanks and apostrophes group digits. */
  decimal_mark: z.enum([".", ","]).default("."),
  /** Amounts: rounded to so many decimals. */
  decimals: z.int().min(0).max(2).default(2),
  /** Lists: what stands between the items, and items to leave out (compared whole, by their key). */
  separator: pattern.default(","),
  leave_out: z.array(pattern).default([]),
  /** In place of null, at the end. */
  default: scalar.optional(),
});

const record = z.strictObject({
  type: z.enum(RECORD_TYPES),
  /** Name of a list: one record for each item, which is `{item}`. */
  for_each: z.string().optional(),
  /** Rows repeat it: later ones only fill in what the earlier ones left empty. */
  merge: z.boolean().default(false),
  /** Templates: `{name}` alone is the value as it is; within a text it is put in; `{name:key}` is its key. */
  fields: z.record(z.string(), scalar),
});

const separatingText = z
  .string()
  .min(1)
  .max(5)
  .refine((text) => !/[\r\n]/.test(text), "must not hold a line break");
const quoteCharacter = z.string().regex(/^[^\r\n]$/, "expected one character, not a line break");

const mappingSchema = z
  .strictObject({
    /** For people. */
    description: z.string().optional(),
    encoding: z
      .string()
      .refine((name) => iconv.encodingExists(name), "is no encoding known here, such as utf8, macroman or latin1")
      .default("utf8"),
    delimiter: separatingText.default(","),
    /** What fields are quoted with; null where quotes are plain text. */
    quote: quoteCharacter.nullable().default('"'),
    /** What stands before a quote inside a quoted field; by default the quote itself. */
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
    skip: z.array(z.strictObject({ column: z.string(), fits: pattern })).default([]),
    values: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/, "expected a name such as announced_date"), value),
    records: z.array(record).min(1),
  })
  .refine(
    ({ delimiter, quote, escape }) => [quote, escape].every((each) => each == null || !delimiter.includes(each)),
    {
      path: ["delimiter"],
      message: "must not hold the quote or escape character",
    },
  )
  .refine(({ columns = [] }) => new Set(columns).size === columns.length, {
    path: ["columns"],
    message: "two columns have the same name",
  })
  .superRefine((mapping, context) => {
    const known = new Set([...Object.keys(mapping.values), "item", "n"]);
    mapping.records.forEach(({ fields, for_each }, index) => {
      const names = Object.values(fields).flatMap((field) =>
        typeof field === "string" ? [...field.matchAll(/\{([^{}:]*)(?::key)?\}/g)].map((match) => match[1]!) : [],
      );
      for (const name of for_each === undefined ? names : [...names, for_each]) {
        if (!known.has(name))
          context.addIssue({ code: "custom", path: ["records", index], message: `'${name}' is none of the values` });
      }
    });
  });

export type Mapping = z.output<typeof mappingSchema>;
export type ValueRule = z.output<typeof value>;
export type RecordRule = z.output<typeof record>;

/** Reads a mapping file. Throws WrongUsage that names everything wrong in it. */
export function readMapping(path: string): Mapping {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new WrongUsage(`--map ${path}: ${(error as Error).message}`);
  }
  return parseMapping(content, `--map ${path}`);
}

/** `name` stands before what is wrong. */
export function parseMapping(content: unknown, name = "mapping"): Mapping {
  const parsed = mappingSchema.safeParse(content);
  if (!parsed.success) throw new WrongUsage(`${name}:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text, "iu"));
  } catch {
    return false;
  }
}
