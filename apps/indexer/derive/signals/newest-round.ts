import { derivedInstance, type SignalInstance } from "@tranche/shared/domain/signals/instance";
import { dayOf } from "@tranche/shared/domain/time/day";
import { DEBT_OR_GRANT_TYPES } from "@tranche/shared/domain/vocabulary/deal-types";
import type { HistoryRound } from "./history.ts";

const LARGE_USD = 50_000_000;

/** The signals of a company's newest round. `rounds`: those that count, in order. */
export function newestRoundSignals(rounds: readonly HistoryRound[]): SignalInstance[] {
  const newest = rounds.at(-1);
  if (!newest) return [];
  const detected = dayOf(newest.announced_date);
  const evidence = { round_id: newest.id };
  const found = [derivedInstance("just_raised", detected, evidence)];
  if ((newest.amount_usd ?? 0) >= LARGE_USD) {
    found.push(derivedInstance("large_round", detected, { ...evidence, amount_usd: newest.amount_usd }));
  }
  if (rounds.length === 1) found.push(derivedInstance("first_round", detected, evidence));
  if (DEBT_OR_GRANT_TYPES.has(newest.deal_type)) {
    found.push(derivedInstance("debt_or_grant_raised", detected, { ...evidence, deal_type: newest.deal_type }));
  }
  const leads = newLeads(newest, rounds.slice(0, -1));
  if (leads.length > 0)
    found.push(derivedInstance("new_lead_investor", detected, { ...evidence, investor_ids: leads }));
  return found;
}

/** The leads of a round who were in no round before it; none when there was no round before it. */
function newLeads(round: HistoryRound, before: readonly HistoryRound[]): string[] {
  if (before.length === 0) return [];
  const known = new Set(before.flatMap((earlier) => earlier.investors.map((investor) => investor.id)));
  return round.investors.filter((investor) => investor.is_lead && !known.has(investor.id)).map((lead) => lead.id);
}
