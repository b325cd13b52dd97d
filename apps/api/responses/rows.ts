import { z } from "zod";
import type { CompanySummary, FundingRow } from "@tranche/read-models/documents/funding";
import type { InvestorRow } from "@tranche/read-models/documents/investors";
import type { SignalsRow } from "@tranche/read-models/documents/companies";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import {
  countryCodeSchema,
  dealTypeSchema,
  signalKeySchema,
} from "@tranche/read-models/parameters/kinds/named-schemas";
import { count, day, dollars, score, text, time } from "../present/scalars.ts";
import { COMPANIES_TABLE, type CompanyRow, SIGNALS_TABLE } from "../present/signals.ts";

export const companySummary = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    country: countryCodeSchema.nullable(),
    city: text,
    category: text,
  })
  .meta({ id: "CompanySummary" }) satisfies z.ZodType<CompanySummary>;

const roundInvestor = z
  .strictObject({ id: z.string(), name: z.string(), slug: z.string(), is_lead: z.boolean() })
  .meta({ id: "RoundInvestor" }) satisfies z.ZodType<FundingRow["investors"][number]>;

/** The recorded data of an investor. Without an id here: the description of a schema passes on to those that extend it. */
export const investorProfile = z.strictObject({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  aliases: z.array(z.string()),
  country: countryCodeSchema.nullable(),
  kind: text,
});

const signalDetail = z
  .strictObject({
    key: signalKeySchema,
    detected_at: day.meta({ description: "Of the instance that counts for the score." }),
    latest_detected_at: day.meta({
      description: "Of the newest live instance. `detected_since` compares this day.",
    }),
    expires_at: day.nullable().meta({
      description: "First day on which it is no longer live; null when it stays live as long as its condition holds.",
    }),
    strength: z.number().min(0).max(1),
  })
  .meta({ id: "SignalDetail" });

/** The schemas of rows. Deal types are those of the operator's vocabulary. */
export function createRows(dealTypes: DealTypes) {
  const dealType = dealTypeSchema(dealTypes);

  const fundingRow = z
    .strictObject({
      id: z.string(),
      announced_date: day,
      deal_type: dealType,
      amount_usd: dollars,
      company: companySummary,
      investors: z.array(roundInvestor).meta({ description: "Leads first, then by name." }),
      investor_count: count,
      source_url: text,
      updated_at: time,
    })
    .meta({ id: "FundingRound" }) satisfies z.ZodType<FundingRow>;

  const latestFunding = z
    .strictObject({
      round_id: z.string(),
      announced_date: day,
      deal_type: dealType,
      amount_usd: dollars,
      investors: z.array(z.string()).meta({ description: "Names, leads first." }),
      investor_count: count,
    })
    .meta({ id: "LatestFunding" });

  const signalsRow = z
    .strictObject({
      company: companySummary,
      signal_score: score,
      signals: z.array(signalKeySchema).meta({ description: "Keys of live signals, strongest first." }),
      signal_details: z.array(signalDetail),
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

  const top = (id: string, key: z.ZodType<string>) =>
    z
      .array(z.strictObject({ key, count }).meta({ id }))
      .max(5)
      .meta({ description: "The most frequent ones, by the number of rounds." });

  const investorRow = investorProfile
    .extend({
      round_count: count.meta({ description: "Rounds that `/funding?investors=<id>` lists." }),
      lead_count: count.meta({ description: "Of these, those that it led." }),
      company_count: count,
      first_round_date: day.nullable(),
      latest_round_date: day.nullable(),
      top_categories: top("CategoryRounds", z.string()),
      top_countries: top("CountryRounds", countryCodeSchema),
      top_deal_types: top("DealTypeRounds", dealType),
    })
    .meta({ id: "InvestorFigures" }) satisfies z.ZodType<InvestorRow>;

  const companyRow = signalsRow
    .extend({ domain: text, founded_year: count.nullable(), headcount: count.nullable() })
    .meta({ id: "Company" }) satisfies z.ZodType<CompanyRow>;

  return { fundingRow, latestFunding, signalsRow, companyRow, investorRow };
}
export type Rows = ReturnType<typeof createRows>;

/** A row of `format=flat`: scalars only, every key in every row, in this order. */
export const flatSignalsRow = SIGNALS_TABLE.schema.meta({
  id: "CompanySignalsFlat",
  description: "Lists are joined by `; `, null where empty.",
});

/** The same for the list of companies. */
export const flatCompanyRow = COMPANIES_TABLE.schema.meta({
  id: "CompanyFlat",
  description: "Lists are joined by `; `, null where empty.",
});
