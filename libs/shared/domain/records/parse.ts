import type { z } from "zod";
import { countryCode } from "../vocabulary/countries.ts";
import type { DealTypes } from "../vocabulary/deal-types.ts";
import { closestField, type Fields, unknownFields } from "./fields.ts";
import { carriedFields, filledUp, mergeProblem } from "./merge.ts";
import type { RecordBodies, RecordContent, RecordType, RoundInvestor } from "./record.ts";
import {
  deletionSchema,
  envelope,
  ENVELOPE_FIELDS,
  type identity,
  RECORD_FIELDS,
  SCHEMAS,
  shownValue,
} from "./schemas.ts";
import { slugOf } from "./text.ts";

export type ParsedRecord = {
  [T in RecordType]: {
    type: T;
    id: string;
    version: number | undefined;
    notes: RecordNote[];
  } & RecordContent<T>;
}[RecordType];

/** Something that was let through but is counted: an unknown country, a label that fits no deal type, the name of an unknown field. */
export type RecordNote = { kind: "unknown_country" | "unknown_deal_type" | "unknown_field"; value: string };

export type RecordProblem = { field: string; reason: string };

export type ParseOutcome = { ok: true; record: ParsedRecord } | { ok: false; problems: RecordProblem[] };

type ParseContext = {
  dealTypes: DealTypes;
  /** The day (YYYY-MM-DD) on which a company without `observed_at` was seen. */
  today: string;
  /** Refuses records with unknown fields; otherwise they are noted. */
  strict?: boolean;
};

/** Reads one record as operators write it and normalises it; every problem of it is reported at once. */
export function parseRecord(input: unknown, context: ParseContext): ParseOutcome {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return { ok: false, problems: [{ field: "", reason: `expected an object, found ${shownValue(input)}` }] };
  }
  const head = envelope.safeParse(input, { reportInput: true });
  if (!head.success) return refused(problemsOf(head.error), unknownFields(input, ENVELOPE_FIELDS), ENVELOPE_FIELDS);
  const { type, op, version } = head.data;
  const unknown = unknownFields(input, RECORD_FIELDS[type]);
  const schema = op === "delete" ? deletionSchema(type, input) : SCHEMAS[type];
  const parsed = schema.safeParse(op === "merge" ? filledUp(type, input) : input, { reportInput: true });
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
      amount_usd: fields.amount_usd,
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
  return error.issues.map((issue) => ({ field: issue.path.join("."), reason: reasonOf(issue) }));
}

/** The parser's own words in ours, and the value that was found. */
function reasonOf({ message, input }: z.core.$ZodIssue): string {
  const expected = message
    .replace(/^Invalid input: /, "")
    .replace(/^expected array, received .*/, "expected a list")
    .replace(/^expected object, received .*/, "expected an object");
  return expected.startsWith("expected") && input !== undefined ? `${expected}, found ${shownValue(input)}` : expected;
}
