import { z } from "zod";
import { pagination, warnings } from "./envelopes.ts";
import { count, day, dollars, time } from "../present/scalars.ts";
import { signalKeySchema } from "@tranche/read-models/parameters/kinds/named-schemas";
import { companySummary, investorProfile, type Rows } from "./rows.ts";

const text = z.string().nullable();

const provenance = z
  .strictObject({ set: text, run: z.string(), at: z.iso.datetime() })
  .meta({ id: "Provenance" })
  .nullable()
  .optional()
  .meta({
    description:
      "Where the newest write of the record comes from, and when it was enqueued. Only on plans with `provenance`; null for records from before it was noted.",
  });

const liveSignal = z
  .strictObject({
    key: signalKeySchema,
    label: z.string(),
    polarity: z.enum(["positive", "negative"]),
    detected_at: day,
    expires_at: day.nullable(),
    source: z.enum(["derived", "ingested"]),
    evidence: z.record(z.string(), z.unknown()).nullable().meta({ description: "What it was derived from." }),
    score: z
      .strictObject({
        weight: count,
        age_days: count,
        half_life_days: count.nullable(),
        decay: z.number().min(0).max(1),
        strength: z.number().min(0).max(1),
        share: z.number().min(0).max(1).meta({ description: "weight / 100 x strength x decay." }),
        points: z.number().meta({
          description:
            "What the score gains, or loses if negative, when this signal is added to those before it: positive signals first, each kind in the order of the list. Scaled to the rounded score and given in tenths, so that all points sum to it.",
        }),
      })
      .meta({ id: "ScoreShare" }),
  })
  .meta({ id: "LiveSignal" });

/** The schemas of single records. */
export function createLookUps({ fundingRow, latestFunding }: Rows) {
  const fundingRound = z
    .strictObject({ data: fundingRow.extend({ provenance }).meta({ id: "FundingRoundLookUp" }) })
    .meta({ id: "FundingRoundResponse" });

  const company = z
    .strictObject({
      data: z.strictObject({
        company: companySummary,
        aliases: z.array(z.string()),
        domain: text,
        headcount: count.nullable(),
        founded_year: count.nullable(),
        tech_stack: z.array(z.string()),
        signal_score: z.int().min(0).max(100),
        signals: z.array(liveSignal).meta({ description: "Live signals, strongest first." }),
        latest_funding: latestFunding.nullable(),
        total_raised_usd: dollars,
        round_count: count.meta({
          description: "Rounds announced up to today; `pagination.count` has the future ones, too.",
        }),
        rounds: z.array(fundingRow).meta({ description: "The page of its rounds, newest first." }),
        updated_at: time,
        provenance,
      }),
      pagination,
      warnings,
    })
    .meta({ id: "CompanyResponse" });

  const investor = z
    .strictObject({
      data: z.strictObject({
        investor: investorProfile.meta({ id: "InvestorProfile" }),
        rounds: z.array(fundingRow).meta({ description: "The page of the rounds it took part in, newest first." }),
        updated_at: time,
        provenance,
      }),
      pagination,
      warnings,
    })
    .meta({ id: "InvestorResponse" });

  return { fundingRound, company, investor };
}

const vocabularyRow = z.strictObject({
  key: z.string().meta({ description: "The value to send in a filter." }),
  name: z.string(),
  company_count: count.meta({ description: "Companies, with signals or without." }),
  signalled_company_count: count.meta({ description: "Companies that `/signals` lists for it." }),
});

export const vocabulary = z
  .strictObject({
    data: z.array(
      vocabularyRow
        .extend({ round_count: count.meta({ description: "Rounds that `/funding` lists for it." }) })
        .meta({ id: "VocabularyRow" }),
    ),
    warnings,
  })
  .meta({ id: "VocabularyResponse" });

export const technologies = z
  .strictObject({ data: z.array(vocabularyRow.meta({ id: "TechnologyRow" })), warnings })
  .meta({ id: "TechnologiesResponse" });

export const signalCatalog = z
  .strictObject({
    data: z.array(
      z
        .strictObject({
          key: signalKeySchema,
          label: z.string(),
          definition: z.string(),
          polarity: z.enum(["positive", "negative"]),
          weight: z.int().min(0).max(100),
          half_life_days: count.nullable(),
          life_days: count.nullable().meta({ description: "null: live while it is true." }),
          source: z.enum(["derived", "ingested"]),
          rule_version: z.int().min(1),
        })
        .meta({ id: "SignalDefinition" }),
    ),
  })
  .meta({ id: "SignalCatalogResponse" });
