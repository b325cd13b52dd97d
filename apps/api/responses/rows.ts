import { z } from "zod";
import type { CompanySummary, FundingRow } from "@tranche/read-models/documents/funding";
import type { SignalsRow } from "@tranche/read-models/documents/signals";
import { count, day, dollars, score, text, time } from "../present/scalars.ts";
import { SIGNALS_TABLE } from "../present/signals.ts";

export const companySummary = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    country: text.meta({ description: "ISO 3166-1 alpha-2." }),
    city: text,
    category: text,
  })
  .meta({ id: "CompanySummary" }) satisfies z.ZodType<CompanySummary>;

export const fundingRow = z
  .strictObject({
    id: z.string(),
    announced_date: day,
    deal_type: z.string(),
    amount_usd: dollars,
    company: companySummary,
    investors: z
      .array(z.strictObject({ id: z.string(), name: z.string(), slug: z.string(), is_lead: z.boolean() }))
      .meta({ description: "Leads first, then by name." }),
    investor_count: count,
    source_url: text,
    updated_at: time,
  })
  .meta({ id: "FundingRound" }) satisfies z.ZodType<FundingRow>;

export const latestFunding = z
  .strictObject({
    round_id: z.string(),
    announced_date: day,
    deal_type: z.string(),
    amount_usd: dollars,
    investors: z.array(z.string()).meta({ description: "Names, leads first." }),
    investor_count: count,
  })
  .meta({ id: "LatestFunding" });

export const signalsRow = z
  .strictObject({
    company: companySummary,
    signal_score: score,
    signals: z.array(z.string()).meta({ description: "Keys of live signals, strongest first." }),
    signal_details: z.array(
      z.strictObject({
        key: z.string(),
        detected_at: day,
        expires_at: day.nullable().meta({
          description:
            "First day on which it is no longer live; null when it stays live as long as its condition holds.",
        }),
        strength: z.number().min(0).max(1),
      }),
    ),
    tech_stack: z.array(z.string()),
    latest_funding: latestFunding.nullable(),
    total_raised_usd: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: "Sum of disclosed amounts; null when none is." }),
    round_count: count,
    updated_at: time,
  })
  .meta({ id: "CompanySignals" }) satisfies z.ZodType<SignalsRow>;

/** A row of `format=flat`: scalars only, every key in every row, in this order. */
export const flatSignalsRow = SIGNALS_TABLE.schema.meta({
  id: "CompanySignalsFlat",
  description: "Lists are joined by `; `, null where empty.",
});
