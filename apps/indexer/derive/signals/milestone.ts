import { derivedInstance, type SignalInstance } from "@tranche/shared/domain/signals/instance";
import { dayOf } from "@tranche/shared/domain/time/day";
import type { HistoryRound } from "./history.ts";
import { centsOf } from "./rounds.ts";

const MARKS_USD = [500_000_000, 100_000_000, 50_000_000, 10_000_000];

/** `funding_milestone`: with the newest round, the sum of disclosed amounts reached or passed a milestone. */
export function milestoneSignals(rounds: readonly HistoryRound[]): SignalInstance[] {
  const newest = rounds.at(-1);
  if (!newest) return [];
  const after = centsOf(rounds);
  const before = after - centsOf([newest]);
  const mark = MARKS_USD.find((usd) => before < usd * 100 && usd * 100 <= after);
  if (mark === undefined) return [];
  const evidence = { round_id: newest.id, milestone_usd: mark, total_raised_usd: after / 100 };
  return [derivedInstance("funding_milestone", dayOf(newest.announced_date), evidence)];
}
