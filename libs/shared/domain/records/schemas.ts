import { z } from "zod";
import { INGESTED_KEYS } from "../signals/catalogue.ts";
import { closest } from "../text/closest.ts";
import { dayOf, isoDay } from "../time/day.ts";
import { type Fields, fieldsOf } from "./fields.ts";
import { RECORD_TYPES, type RecordType } from "./record.ts";
import { id, optionalText, signalId, slug, text, webAddress } from "./text.ts";

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

/** In US dollars: below it every sum of cents is exact, and so is every amount in cents as a whole number. */
const MAX_AMOUNT = 9e13;

/** In US dollars. A JSON number is a double, which holds every cent below 2^46 and not above. */
const MAX_WITH_CENTS = 2 ** 46;

const amount = z
  .number("expected a number, or null when undisclosed")
  .nonnegative("must not be negative")
  .max(MAX_AMOUNT, "is above 90000000000000 (9 × 10^13), the largest amount in US dollars")
  // In its shortest text: differences of doubles are not exact.
  .refine((value) => !/\.\d{3}|e-/.test(String(value)), "has more than two decimals")
  .refine(
    (value) => value <= MAX_WITH_CENTS || Number.isInteger(value),
    `has cents, which a number above ${MAX_WITH_CENTS} cannot hold exactly: write whole dollars`,
  )
  .nullable();

const country = optionalText(100);

/** The names of companies and investors. */
export const identity = z.object({ id, name: text(500), slug, aliases: names, country });

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
      .max(1000, "more than 1000 investors")
      .nullish(),
    investor_ids: z.array(id).max(1000, "more than 1000 investors").nullish(),
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
    key: z.string("expected a text").superRefine((value, context) => {
      if ((INGESTED_KEYS as readonly string[]).includes(value)) return;
      const near = closest(value, INGESTED_KEYS);
      context.addIssue({
        code: "custom",
        message: `${shownValue(value)} is not a signal key that can be ingested${near ? `, did you mean '${near}'?` : "."} Known: ${INGESTED_KEYS.join(", ")}`,
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

/** Records as operators write them, without their envelope. */
export const SCHEMAS = { company, investor, round, signal };

/** The year 2100 in microseconds: above every version from the ticket clock, with higher numbers left for writes that must follow. */
const MAX_VERSION = Date.UTC(2100, 0) * 1000;

/** The common fields of all records. */
export const envelope = z.object({
  type: z.enum(RECORD_TYPES, {
    error: (issue) => `${shownValue(issue.input)} is not a valid record type. Known: ${RECORD_TYPES.join(", ")}`,
  }),
  op: z
    .enum(["upsert", "merge", "delete"], {
      error: (issue) => `${shownValue(issue.input)} is not a valid op. Known: upsert, merge, delete`,
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

export const ENVELOPE_FIELDS = fieldsOf(envelope);

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

/** The fields that name the record of a delete; a signal without id is named by company, key and day. */
export function deletionSchema(type: RecordType, input: object) {
  if (type !== "signal") return z.object({ id });
  return "id" in input ? z.object({ id: signalId }) : signal;
}

/** A value as refusals name it. */
export function shownValue(value: unknown): string {
  return value === undefined ? "nothing" : (JSON.stringify(value) ?? typeof value).slice(0, 80);
}
