import type { SignalInstance } from "@tranche/shared/domain/signals/instance";
import type { Day } from "@tranche/shared/domain/time/day";
import { adoptionSignals } from "./adoption.ts";
import { equitySignals } from "./equity.ts";
import { headcountSignals } from "./headcount.ts";
import type { CompanyHistory } from "./history.ts";
import { ingestedSignals } from "./ingested.ts";
import { milestoneSignals } from "./milestone.ts";
import { newestRoundSignals } from "./newest-round.ts";
import { roundsUntil } from "./rounds.ts";
import { stackSignals } from "./stack.ts";
import { stageSignals } from "./stage.ts";

/**
 * Every known signal instance of a company on a day, in no particular order: past, live and future ones. The result changes only on
 * the days of future rounds and snapshots.
 */
export function deriveInstances(history: CompanyHistory, today: Day): SignalInstance[] {
  const rounds = roundsUntil(history.rounds, today);
  return [
    ...newestRoundSignals(rounds),
    ...stageSignals(rounds),
    ...equitySignals(rounds),
    ...milestoneSignals(rounds),
    ...stackSignals(history),
    ...adoptionSignals(history.snapshots, today),
    ...headcountSignals(history.snapshots, today),
    ...ingestedSignals(history.ingested),
  ];
}
