import { z } from "zod";
import { INGESTED_KEYS } from "../signals/catalogue.ts";
import { closest } from "../text/closest.ts";
import { isoDay, dayOf } from "../time/day.ts";
import { countryCode } from "../vocabulary/countries.ts";
import type { DealTypes } from "../vocabulary/deal-types.ts";
import { closestField, type Fields, fieldsOf, unknownFields } from "./fields.ts";
import { carriedFields, filledUp, mergeProblem } from "./merge.ts";
import { RECORD_TYPES, type RecordBodies, type RecordContent, type RecordType, type RoundInvestor } from "./record.ts";
import { id, optionalText, signalId, slug, slugOf, text, webAddress } from "./text.ts";

const date = z.iso.date("expected a date that exists, as YYYY-MM-DD");

/** A day, given as a date or as a time with an offset. */
const day = z
  .union(
    [date, z.iso.datetime({ offset: true })],
    "expected a date as YYYY-MM-DD, or a time such as 2025-03-14T08:00:00Z",
  )
  .transform((value) => isoDay(dayOf(value)));

const names = z.array(text(200), "expected a list of names").max(500, "more than 500 names").nullish();

const wholeNumber = z
  .int("expected a whole number")
  .nonnegative("must not be negative")
  .max(1e9, "is too large")
  .nullish()
  .transform((value) => value ?? null);

const amount = z
  .number("expected a number, or null when undisclosed")
  .nonnegative("must not be negative")
  .max(999_999_999_999_999, "is larger than 15 digits")
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-3, "has more than two decimals")
  .nullable();

const country = optionalText(100);

/** What companies and investors are known by. */
const identity = z.object({ id, name: text(500), slug, aliases: names, country });

const company = identity.extend({
  city: optionalText(200),
  category: optionalText(200),
  domain: optionalText(300),
  tech_stack: names,
  headcount: wholeNumber,
  founded_year: wholeNumber,
  observed_at: day.nullish(),
});

const investor = identity.extend({
  kind: optionalText(100),
});

const round = z
  .object({
    id,
    company_id: id,
    announced_date: date,
    deal_type: optionalText(200),
    deal_type_label: optionalText(200),
    amount_usd: amount,
    investors: z
      .array(z.object({ investor_id: id, is_lead: z.boolean("expected true or false").nullish() }))
      .max(1000)
      .nullish(),
    investor_ids: z.array(id).max(1000).nullish(),
    source_url: webAddress,
  })
  .refine((value) => !(value.investors && value.investor_ids), {
    path: ["investor_ids"],
    message: "give either investors or investor_ids",
  });

const signal = z
  .object({
    id: signalId.nullish(),
    company_id: id,
    key: z.string().superRefine((value, context) => {
      if ((INGESTED_KEYS as readonly string[]).includes(value)) return;
      const near = closest(value, INGESTED_KEYS);
      context.addIssue({
        code: "custom",
        message: `'${value}' is no key that can be ingested${near ? `, did you mean '${near}'?` : ""} Known: ${INGESTED_KEYS.join(", ")}`,
      });
    }),
    detected_at: day,
    expires_at: day.nullish(),
    strength: z.number("expected a number").min(0, "must be from 0 to 1").max(1, "must be from 0 to 1").nullish(),
    evidence_url: webAddress,
  })
  .refine((value) => !value.expires_at || value.expires_at >= value.detected_at, {
    path: ["expires_at"],
    message: "is before detected_at",
  });

const SCHEMAS = { company, investor, round, signal };

/** The year 2100 in microseconds: above every version from the ticket clock, with higher numbers left for writes that must follow. */
const MAX_VERSION = Date.UTC(2100, 0) * 1000;

const envelope = z.object({
  type: z.enum(RECORD_TYPES, {
    error: (issue) => `${show(issue.input)} is no record type. Known: ${RECORD_TYPES.join(", ")}`,
  }),
  op: z
    .enum(["upsert", "merge", "delete"], {
      error: (issue) => `${show(issue.input)} is not a valid op. Known: upsert, merge, delete`,
    })
    .default("upsert"),
  version: z
    .number("expected a whole number")
    .int("expected a whole number")
    .nonnegative("must not be negative")
    .max(
      MAX_VERSION,
      `must be at most ${MAX_VERSION} (the year 2100 in microseconds), or no later write could replace this one: write a lower number`,
    )
    .optional(),
});

const ENVELOPE_FIELDS = fieldsOf(envelope);

/** All fields of a record as operators write it, those of its envelope too. */
export const RECORD_FIELDS = Object.fromEntries(
  RECORD_TYPES.map((type): [RecordType, Fields] => [type, new Map([...ENVELOPE_FIELDS, ...fieldsOf(SCHEMAS[type])])]),
) as Record<RecordType, Fields>;

/** The fields that a record of a type needs. */
export const REQUIRED_FIELDS = Object.fromEntries(
  RECORD_TYPES.map((type) => {
    const fields = Object.entries<z.ZodType>(SCHEMAS[type].shape);
    return [type, fields.filter(([, field]) => !field.safeParse(undefined).success).map(([name]) => name)];
  }),
) as Record<RecordType, string[]>;

/** What names the record that a delete is of; a signal without id is named by company, key and day. */
function deletionSchema(type: RecordType, input: object) {
  if (type !== "signal") return z.object({ id });
  return "id" in input ? z.object({ id: signalId }) : signal;
}

export type ParsedRecord = {
  [T in RecordType]: {
    type: T;
    id: string;
    version: number | undefined;
    notes: RecordNote[];
  } & RecordContent<T>;
}[RecordType];

/** What was let through but is worth counting: an unknown country, a label that fits no deal type, the name of an unknown field. */
export type RecordNote = { kind: "unknown_country" | "unknown_deal_type" | "unknown_field"; value: string };

export type RecordProblem = { field: string; reason: string };

export type ParseOutcome = { ok: true; record: ParsedRecord } | { ok: false; problems: RecordProblem[] };

export type ParseContext = {
  dealTypes: DealTypes;
  /** The day (YYYY-MM-DD) on which a company without `observed_at` was seen. */
  today: string;
  /** Refuses records with unknown fields; otherwise they are noted. */
  strict?: boolean;
};

/** Reads one record as operators write it and normalises it; every problem of it is reported at once. */
export function parseRecord(input: unknown, context: ParseContext): ParseOutcome {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return { ok: false, problems: [{ field: "", reason: `expected an object, found ${show(input)}` }] };
  }
  const head = envelope.safeParse(input);
  if (!head.success) return refused(problemsOf(head.error), unknownFields(input, ENVELOPE_FIELDS), ENVELOPE_FIELDS);
  const { type, op, version } = head.data;
  const unknown = unknownFields(input, RECORD_FIELDS[type]);
  const schema = op === "delete" ? deletionSchema(type, input) : SCHEMAS[type];
  const parsed = schema.safeParse(op === "merge" ? filledUp(type, input) : input);
  if (!parsed.success) return refused(problemsOf(parsed.error), unknown, RECORD_FIELDS[type], context.strict);
  if (context.strict && unknown.length > 0) return refused([], unknown, RECORD_FIELDS[type], true);
  const notes = unknown.map((value): RecordNote => ({ kind: "unknown_field", value }));
  const fields = parsed.data;
  const recordId =
    ("id" in fields && fields.id) || ownSignalId(fields as { company_id: string; key: string; detected_at: string });
  const body = op === "delete" ? null : BODIES[type](fields as never, { ...context, notes, id: recordId });
  const envelopeOf = { type, id: recordId, version, notes };
  if (op !== "merge") return { ok: true, record: { ...envelopeOf, body } as ParsedRecord };
  const merge = carriedFields(input, body!);
  const problem = mergeProblem(input, fields, merge);
  if (problem) return refused([problem], unknown, RECORD_FIELDS[type], true);
  return { ok: true, record: { ...envelopeOf, merge } as ParsedRecord };
}

/** Of the unknown fields, all if they are problems too, otherwise those that are probably what a problem misses, misspelt. */
function refused(problems: RecordProblem[], unknown: string[], known: Fields, all = false): ParseOutcome {
  const wrong = new Set(problems.map(({ field }) => field.replaceAll(/\.\d+(?=\.|$)/g, "[]")));
  const hints = unknown.flatMap((field): RecordProblem[] => {
    const near = closestField(field, known);
    if (!all && (near === undefined || !wrong.has(near))) return [];
    return [{ field, reason: `is not a known field${near ? `, did you mean '${near}'?` : ": remove it"}` }];
  });
  return { ok: false, problems: [...problems, ...hints] };
}

type Context = ParseContext & { notes: RecordNote[]; id: string };

const BODIES: { [T in RecordType]: (fields: z.output<(typeof SCHEMAS)[T]>, context: Context) => RecordBodies[T] } = {
  company: (fields, context) => ({
    ...identityOf(fields, context),
    city: fields.city,
    category: fields.category,
    domain: fields.domain,
    tech_stack: fields.tech_stack ?? null,
    headcount: fields.headcount,
    founded_year: fields.founded_year,
    observed_at: fields.observed_at ?? context.today,
  }),
  investor: (fields, context) => ({
    ...identityOf(fields, context),
    kind: fields.kind,
  }),
  round: (fields, context) => {
    const label = fields.deal_type ?? "";
    const known = context.dealTypes.find(label);
    if (known === undefined) context.notes.push({ kind: "unknown_deal_type", value: label });
    return {
      id: fields.id,
      company_id: fields.company_id,
      announced_date: fields.announced_date,
      deal_type: known ?? "other",
      deal_type_label: known === undefined ? label : fields.deal_type_label,
      amount_usd: fields.amount_usd === null ? null : Math.round(fields.amount_usd * 100) / 100,
      investors: uniqueInvestors(
        fields.investors ?? (fields.investor_ids ?? []).map((investor_id) => ({ investor_id, is_lead: false })),
      ),
      source_url: fields.source_url,
    };
  },
  signal: (fields, context) => ({
    id: context.id,
    company_id: fields.company_id,
    key: fields.key,
    detected_at: fields.detected_at,
    expires_at: fields.expires_at ?? null,
    strength: fields.strength ?? 1,
    evidence_url: fields.evidence_url,
  }),
};

function ownSignalId(fields: { company_id: string; key: string; detected_at: string }): string {
  return `${fields.company_id}:${fields.key}:${fields.detected_at}`;
}

function identityOf(fields: z.output<typeof identity>, context: Context) {
  return {
    id: fields.id,
    name: fields.name,
    slug: fields.slug ?? slugOf(fields.name, fields.id),
    aliases: fields.aliases ?? [],
    country: alpha2(fields.country, context),
  };
}

function alpha2(name: string | null, context: Context): string | null {
  if (name === null) return null;
  const code = countryCode(name);
  if (code === undefined) context.notes.push({ kind: "unknown_country", value: name });
  return code ?? null;
}

/** An investor named twice is one, a lead if any of its entries says so. */
function uniqueInvestors(listed: { investor_id: string; is_lead?: boolean | null | undefined }[]): RoundInvestor[] {
  const leads = new Map<string, boolean>();
  for (const { investor_id, is_lead } of listed)
    leads.set(investor_id, (leads.get(investor_id) ?? false) || is_lead === true);
  return [...leads].map(([investor_id, is_lead]) => ({ investor_id, is_lead }));
}

function problemsOf(error: z.ZodError): RecordProblem[] {
  return error.issues.map((issue) => ({
    field: issue.path.join("."),
    reason: issue.message.replace(/^Invalid input: /, ""),
  }));
}

function show(value: unknown): string {
  return value === undefined ? "nothing" : (JSON.stringify(value) ?? typeof value).slice(0, 80);
}
