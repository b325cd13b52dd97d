import { dayOf, type Day } from "@tranche/shared/domain/time/day";
import { signalDefinition, type Polarity, type SignalKey } from "@tranche/shared/domain/signals/catalogue";
import type { SignalInstance } from "@tranche/shared/domain/signals/instance";
import { bestInstances, decayOf, roundedScore, shareOf, totalOf } from "@tranche/shared/domain/signals/score";

interface BreakdownRow {
  key: SignalKey;
  polarity: Polarity;
  weight: number;
  detected_at: string;
  age_days: number;
  half_life_days: number | null;
  /** 0 to 1. */
  decay: number;
  /** 0 to 1. */
  strength: number;
  /** weight / 100 x strength x decay. */
  share: number;
  /** The points that the signal adds to the score, in tenths; negative for a negative signal. */
  points: number;
}

interface Breakdown {
  /** The whole number that is shown and sorted by. It is the sum of the rows' points. */
  score: number;
  /** The score before rounding. */
  total: number;
  rows: BreakdownRow[];
}

/**
 * The score of a company, with a row for each live key, in the order of `bestInstances`. The points of a row are what the score
 * gains or loses when its signal is added to those before it: positive signals first, each group by share. Points are scaled to the
 * rounded score and rounded to tenths by largest remainder, so they sum to it.
 */
export function breakdown(instances: readonly SignalInstance[], today: Day): Breakdown {
  const rows = bestInstances(instances, today).map((instance) => row(instance, today));
  const total = totalOf(rows);
  const score = roundedScore(total);
  const ordered = [...rows.filter((x) => x.polarity === "positive"), ...rows.filter((x) => x.polarity === "negative")];
  const gains = ordered.map((_, i) => totalOf(ordered.slice(0, i + 1)) - totalOf(ordered.slice(0, i)));
  const scale = total > 0 ? score / total : 0;
  const tenths = apportion(
    gains.map((gain) => gain * scale * 10),
    score * 10,
  );
  for (const [i, x] of ordered.entries()) x.points = tenths[i]! / 10;
  return { score, total, rows };
}

function row(instance: SignalInstance, today: Day): BreakdownRow {
  const { polarity, weight, halfLifeDays } = signalDefinition(instance.key);
  const age = today - dayOf(instance.detected_at);
  return {
    key: instance.key,
    polarity,
    weight,
    detected_at: instance.detected_at,
    age_days: age,
    half_life_days: halfLifeDays,
    decay: decayOf(halfLifeDays, age),
    strength: instance.strength,
    share: shareOf(instance, today),
    points: 0,
  };
}

/** Whole numbers near `parts` that sum to `sum`: all are rounded down, then those with the largest remainders get one more. */
function apportion(parts: readonly number[], sum: number): number[] {
  const whole = parts.map((part) => Math.floor(part + 1e-9));
  const missing = sum - whole.reduce((a, b) => a + b, 0);
  const losers = parts.map((part, i) => ({ i, lost: part - whole[i]! })).sort((a, b) => b.lost - a.lost || a.i - b.i);
  for (const { i } of losers.slice(0, Math.max(0, missing))) whole[i]! += 1;
  return whole;
}
