import { amountBand, cents } from "@tranche/read-models/documents/bands";
import type { FundingDocument, FundingRow } from "@tranche/read-models/documents/funding";
import { rowText } from "@tranche/read-models/documents/row-text";
import type { Sources } from "../read/sources.ts";
import { companyKeys, companySummary, keyOrNull, newest } from "./fields.ts";
import { investorFields, investorRow, knownInvestors } from "./known-investors.ts";

/** The funding document of a round, or undefined while the round or its company is unknown or deleted. */
export function fundingDocument(roundId: string, sources: Sources): FundingDocument | undefined {
  const round = sources.rounds.get(roundId);
  const company = round && sources.companies.get(round.body!.company_id);
  if (!round || !company) return undefined;
  const { id, announced_date, deal_type, amount_usd, source_url } = round.body!;
  const investors = knownInvestors(round, sources.investors);
  const all = investorFields(investors);
  const leads = investorFields(investors.filter(({ is_lead }) => is_lead));
  const summary = companySummary(company);
  return {
    listed: true,
    id,
    company_id: summary.id,
    company_keys: companyKeys(company),
    announced_date,
    deal_type,
    amount_usd,
    amount_cents: cents(amount_usd),
    amount_band: amountBand(amount_usd),
    country: summary.country,
    city_key: keyOrNull(summary.city),
    category_key: keyOrNull(summary.category),
    investor_keys: all.keys,
    investor_ids: all.ids,
    lead_investor_keys: leads.keys,
    lead_investor_ids: leads.ids,
    row: rowText<FundingRow>({
      id,
      announced_date,
      deal_type,
      amount_usd,
      company: summary,
      investors: investors.map(investorRow),
      investor_count: investors.length,
      source_url,
      updated_at: newest([round, company, ...investors.map((investor) => investor.record)]),
    }),
  };
}
