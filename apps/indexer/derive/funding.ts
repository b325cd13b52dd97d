import type { FundingDocument, FundingRow } from "@tranche/read-models/documents/funding";
import { rowText } from "@tranche/read-models/documents/row-text";
import type { Sources } from "../read/sources.ts";
import { companySummary, keyOrNull, newest } from "./fields.ts";
import { investorKeys, investorRow, knownInvestors } from "./known-investors.ts";

/** The funding document of a round, or undefined while the round or its company is unknown or deleted. */
export function fundingDocument(roundId: string, sources: Sources): FundingDocument | undefined {
  const round = sources.rounds.get(roundId);
  const company = round && sources.companies.get(round.body!.company_id);
  if (!round || !company) return undefined;
  const { id, announced_date, deal_type, amount_usd, source_url } = round.body!;
  const investors = knownInvestors(round, sources.investors);
  const summary = companySummary(company);
  return {
    listed: true,
    id,
    company_id: summary.id,
    announced_date,
    deal_type,
    amount_usd,
    country: summary.country,
    city_key: keyOrNull(summary.city),
    category_key: keyOrNull(summary.category),
    investor_keys: [...new Set(investors.flatMap(investorKeys))],
    investor_ids: investors.map((investor) => investor.record.id),
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
