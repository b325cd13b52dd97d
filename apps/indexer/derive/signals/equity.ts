import { derivedInstance, type SignalInstance } from "@tranche/shared/domain/signals/instance";
import { dayOf } from "@tranche/shared/domain/time/day";
import { EQUITY_TYPES } from "@tranche/shared/domain/vocabulary/deal-types";
import type { HistoryRound } from "./history.ts";

const FOLLOW_ON_DAYS = 365;
const RUNWAY_FIRST_DAY = 450;
const RUNWAY_LAST_DAY = 730;

/**
 * `fast_follow_on`: the newest round is equity, 1 to 365 days after the equity round before it.
 * `runway_window`: 450 to 730 days after the newest equity round, also when other rounds followed it.
 */
export function equitySignals(rounds: readonly HistoryRound[]): SignalInstance[] {
  const equity = rounds.filter((round) => EQUITY_TYPES.has(round.deal_type));
  const newest = equity.at(-1);
  if (!newest) return [];
  const day = dayOf(newest.announced_date);
  const runway = derivedInstance(
    "runway_window",
    day + RUNWAY_FIRST_DAY,
    { round_id: newest.id },
    day + RUNWAY_LAST_DAY + 1,
  );
  const before = equity.at(-2);
  if (!before || newest !== rounds.at(-1)) return [runway];
  const days = day - dayOf(before.announced_date);
  if (days < 1 || days > FOLLOW_ON_DAYS) return [runway];
  return [runway, derivedInstance("fast_follow_on", day, { round_id: newest.id, previous_round_id: before.id, days })];
}
