import { derivedInstance, type SignalInstance } from "@tranche/shared/domain/signals/instance";
import { dayOf } from "@tranche/shared/domain/time/day";
import { STAGES } from "@tranche/shared/domain/vocabulary/deal-types";
import type { HistoryRound } from "./history.ts";

/** `stage_advanced`: the stage of the newest round is higher than that of the last earlier round with a stage. */
export function stageSignals(rounds: readonly HistoryRound[]): SignalInstance[] {
  const newest = rounds.at(-1);
  if (!newest) return [];
  const stage = stageOf(newest.deal_type);
  if (stage === undefined) return [];
  const before = rounds.findLast((round) => round !== newest && stageOf(round.deal_type) !== undefined);
  if (!before || stageOf(before.deal_type)! >= stage) return [];
  const evidence = { round_id: newest.id, from: before.deal_type, to: newest.deal_type };
  return [derivedInstance("stage_advanced", dayOf(newest.announced_date), evidence)];
}

function stageOf(dealType: string): number | undefined {
  return Object.hasOwn(STAGES, dealType) ? STAGES[dealType] : undefined;
}
