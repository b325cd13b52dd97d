import type { FundingRow } from "@tranche/read-models/documents/funding";
import { rowOf } from "@tranche/read-models/documents/row-text";
import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import { breakdown } from "./score-breakdown.ts";
import { signalDefinition } from "@tranche/shared/domain/signals/catalogue";
import { bestInstances } from "@tranche/shared/domain/signals/score";
import type { Day } from "@tranche/shared/domain/time/day";

/** A company with the breakdown of its score on the day, and a page of its rounds. */
export function presentCompany(document: CompanyDocument, rounds: readonly FundingRow[], today: Day) {
  const row = rowOf(document.row);
  const { aliases, domain, headcount, founded_year } = document.profile;
  const { score, rows } = breakdown(document.instances, today);
  const instances = new Map(bestInstances(document.instances, today).map((instance) => [instance.key, instance]));
  return {
    company: row.company,
    aliases,
    domain,
    headcount,
    founded_year,
    tech_stack: row.tech_stack,
    signal_score: score,
    signals: rows.map(({ key, polarity, detected_at, ...shares }) => {
      const { expires_at, source, evidence } = instances.get(key)!;
      return {
        key,
        label: signalDefinition(key).label,
        polarity,
        detected_at,
        expires_at,
        source,
        evidence,
        score: shares,
      };
    }),
    latest_funding: row.latest_funding,
    total_raised_usd: row.total_raised_usd,
    round_count: row.round_count,
    rounds,
    updated_at: row.updated_at,
  };
}
