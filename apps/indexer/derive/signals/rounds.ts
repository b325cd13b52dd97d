import { cents as centsIn } from "@tranche/read-models/documents/bands";
import { isoDay, type Day } from "@tranche/shared/domain/time/day";
import type { HistoryRound } from "./history.ts";

/** The amount that a company has raised up to a day. */
export interface Totals {
  /** Sum of the disclosed amounts, to the cent; null when none is. */
  total_raised_usd: number | null;
  round_count: number;
  /** The newest round. */
  latest: HistoryRound | null;
}

/** A company's rounds in order, the newest last: by date, then amount with undisclosed lowest, then id by code point. */
export function orderRounds(rounds: readonly HistoryRound[]): HistoryRound[] {
  return rounds.toSorted(byDateAmountId);
}

/** The rounds announced on that day or earlier, in order. Only these count. */
export function roundsUntil(rounds: readonly HistoryRound[], today: Day): HistoryRound[] {
  const date = isoDay(today);
  return orderRounds(rounds.filter((round) => round.announced_date <= date));
}

/** Totals of rounds that count, in order. */
export function totals(rounds: readonly HistoryRound[]): Totals {
  const disclosed = rounds.some((round) => round.amount_usd !== null);
  return {
    total_raised_usd: disclosed ? centsOf(rounds) / 100 : null,
    round_count: rounds.length,
    latest: rounds.at(-1) ?? null,
  };
}

/** The disclosed amounts in whole cents, so that sums are exact. */
export function centsOf(rounds: readonly HistoryRound[]): number {
  let cents = 0;
  for (const round of rounds) cents += centsIn(round.amount_usd ?? 0);
  return cents;
}

function byDateAmountId(a: HistoryRound, b: HistoryRound): number {
  if (a.announced_date !== b.announced_date) return a.announced_date < b.announced_date ? -1 : 1;
  const [amount, other] = [a.amount_usd ?? -1, b.amount_usd ?? -1];
  // UTF-8 bytes sort like code points; JavaScript compares strings by UTF-16 units.
  return amount - other || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));
}
