import { amountBand, cents, scoreBand } from "@tranche/read-models/documents/bands";
import type { FundingDocument, FundingRow } from "@tranche/read-models/documents/funding";
import type { InvestorDocument, InvestorRow } from "@tranche/read-models/documents/investors";
import { namePrefixes } from "@tranche/read-models/documents/names";
import { rowText } from "@tranche/read-models/documents/row-text";
import { signalDetection, type CompanyDocument, type SignalsRow } from "@tranche/read-models/documents/companies";
import { technologyKey } from "@tranche/shared/domain/technologies/technology";
import type { Company, Investor, Round, Thing } from "./world.ts";

const UPDATED_AT = "2013-10-31T12:00:00.000Z";

/** The id of an investor. Its key is not the key of any investor. */
export const investorId = ({ key }: Thing): string => `Inv: ${key}`;

const keysOf = (things: readonly Thing[]): string[] => things.flatMap(({ key, also = [] }) => [key, ...also]);
const namedKeys = ({ name, alias }: { name: Thing; alias: Thing | null }): string[] =>
  keysOf(alias ? [name, alias] : [name]).filter((key) => key !== "");
/** A name without a letter or digit has no key. */
const nameKeys = ({ key }: Thing) =>
  key === "" ? { name_key: null, name_head: null } : { name_key: key, name_head: Array.from(key).slice(0, 3).join("") };

export function fundingDocument(round: Round): FundingDocument {
  const { id: companyId, name } = round.company;
  const company = {
    id: companyId,
    name: name.spellings[0],
    slug: companyId,
    country: round.country,
    city: round.city?.spellings[0] ?? null,
    category: round.category?.spellings[0] ?? null,
  };
  return {
    listed: true,
    id: round.id,
    company_id: companyId,
    company_keys: namedKeys(round.company),
    announced_date: round.date,
    deal_type: round.type,
    amount_usd: round.amount,
    amount_cents: cents(round.amount),
    amount_band: amountBand(round.amount),
    country: round.country,
    city_key: round.city?.key ?? null,
    category_key: round.category?.key ?? null,
    investor_keys: keysOf(round.investors),
    investor_ids: round.investors.map(investorId),
    lead_investor_keys: keysOf(round.leads),
    lead_investor_ids: round.leads.map(investorId),
    row: rowText<FundingRow>({
      id: round.id,
      announced_date: round.date,
      deal_type: round.type,
      amount_usd: round.amount,
      company,
      investors: round.investors.map((investor) => ({
        id: investorId(investor),
        name: investor.spellings[0],
        slug: investor.key,
        is_lead: round.leads.includes(investor),
      })),
      investor_count: round.investors.length,
      source_url: null,
      updated_at: UPDATED_AT,
    }),
  };
}

export function companyDocument(company: Company): CompanyDocument {
  const { latest } = company;
  return {
    listed: company.listed,
    company_id: company.id,
    slug: company.id,
    company_keys: namedKeys(company),
    ...nameKeys(company.name),
    domain: null,
    name_prefixes: namePrefixes([company.name, company.alias].flatMap((name) => name?.spellings[0] ?? [])),
    country: company.country,
    city_key: company.city?.key ?? null,
    category_key: company.category?.key ?? null,
    deal_type: latest?.type ?? null,
    latest_announced_date: latest?.date ?? null,
    latest_amount_usd: latest?.amount ?? null,
    investor_keys: keysOf(company.investors),
    investor_ids: company.investors.map(investorId),
    total_raised_usd: company.totalRaised,
    round_count: company.rounds,
    signal_keys: company.signals,
    signal_detections: company.signals.map((key, i) => signalDetection(key, company.detected[i]!)),
    newest_detected_at: company.detected.toSorted().at(-1) ?? null,
    signal_score: company.score,
    score_band: scoreBand(company.score),
    total_raised_cents: cents(company.totalRaised),
    tech_keys: company.technologies.map((technology) => technologyKey(technology.spellings[0])),
    headcount: company.people,
    founded_year: company.founded,
    next_change_at: null,
    row: rowText<SignalsRow>({
      company: {
        id: company.id,
        name: company.name.spellings[0],
        slug: company.id,
        country: company.country,
        city: company.city?.spellings[0] ?? null,
        category: company.category?.spellings[0] ?? null,
      },
      signal_score: company.score,
      signals: company.signals,
      signal_details: company.signals.map((key, i) => ({
        key,
        detected_at: company.detected[i]!,
        latest_detected_at: company.detected[i]!,
        expires_at: null,
        strength: 1,
      })),
      tech_stack: company.technologies.map((technology) => technology.spellings[0]),
      latest_funding: latest && {
        round_id: "r",
        announced_date: latest.date,
        deal_type: latest.type,
        amount_usd: latest.amount,
        investors: [],
        investor_count: 0,
      },
      total_raised_usd: company.totalRaised,
      round_count: company.rounds,
      updated_at: UPDATED_AT,
    }),
    lead_investors: [],
    profile: {
      aliases: [],
      domain: null,
      headcount: company.people,
      founded_year: company.founded,
      category: company.category?.spellings[0] ?? null,
    },
    instances: [],
  };
}

export function investorDocument(investor: Investor): InvestorDocument {
  const { id, name, alias, country, kind, rounds, leads, companies, days, categories, types } = investor;
  const counted = (keys: readonly string[]) => keys.map((key) => ({ key, count: 1 }));
  const aliases = alias ? [alias.spellings[0]] : [];
  return {
    listed: true,
    investor_id: id,
    slug: id,
    ...nameKeys(name),
    name_prefixes: namePrefixes([name.spellings[0], ...aliases]),
    investor_keys: namedKeys(investor),
    country,
    kind_key: kind?.key ?? null,
    round_count: rounds,
    lead_count: leads,
    company_count: companies,
    first_round_date: days[0] ?? null,
    latest_round_date: days.at(-1) ?? null,
    round_dates: days,
    category_keys: categories.map((category) => category.key),
    deal_types: types,
    row: rowText<InvestorRow>({
      id,
      name: name.spellings[0],
      slug: id,
      aliases,
      country,
      kind: kind?.spellings[0] ?? null,
      round_count: rounds,
      lead_count: leads,
      company_count: companies,
      first_round_date: days[0] ?? null,
      latest_round_date: days.at(-1) ?? null,
      top_categories: counted(categories.map((category) => category.key)),
      top_countries: counted(country === null ? [] : [country]),
      top_deal_types: counted(types),
    }),
  };
}
