import { dayOf, type Day } from "../time/day.ts";
import { signalDefinition, type Polarity, type SignalKey } from "./catalogue.ts";
import { isLive, type SignalInstance } from "./instance.ts";

/** Takes up what binary fractions leave out, so that 59.4999999999999 that should be 59.5 is rounded up. */
const EPSILON = 1e-9;
/** Shares closer than this are equal. On a grid, not by difference, so that the order stays transitive. */
const SHARE_GRID = 1e12;

/** The decay of one instance by age: 1 on its first day, 0.5 after a half-life, 1 for ever without one. */
export function decayOf(halfLifeDays: number | null, ageDays: number): number {
  return halfLifeDays === null ? 1 : 2 ** (-ageDays / halfLifeDays);
}

/** weight x strength x decay of an instance on a day, 0 to 1, whatever its polarity. */
export function shareOf(instance: SignalInstance, today: Day): number {
  const { weight, halfLifeDays } = signalDefinition(instance.key);
  return (weight / 100) * instance.strength * decayOf(halfLifeDays, today - dayOf(instance.detected_at));
}

/** The place of a share in the order of signals: equal shares have equal ranks. */
export function rankOf(share: number): number {
  return Math.round(share * SHARE_GRID);
}

/**
 * The live instances of a company that count, the best of each key (largest share, then newest, then longest),
 * ordered by share (largest first), then key.
 */
export function bestInstances(instances: readonly SignalInstance[], today: Day): SignalInstance[] {
  const best = new Map<SignalKey, Ranked>();
  for (const instance of instances) {
    if (!isLive(instance, today)) continue;
    const candidate = { instance, rank: rankOf(shareOf(instance, today)) };
    const current = best.get(instance.key);
    if (!current || beats(candidate, current)) best.set(instance.key, candidate);
  }
  return [...best.values()]
    .sort((a, b) => b.rank - a.rank || (a.instance.key < b.instance.key ? -1 : 1))
    .map((ranked) => ranked.instance);
}

/**
 * The score of a company, a whole number 0 to 100, from the best live instance of each of its keys:
 * 100 x (1 - product of (1 - share) of the positive ones) x product of (1 - share) of the negative ones, halves up.
 */
export function scoreOf(best: readonly SignalInstance[], today: Day): number {
  return roundedScore(
    totalOf(best.map((x) => ({ polarity: signalDefinition(x.key).polarity, share: shareOf(x, today) }))),
  );
}

/** Halves round up. */
export function roundedScore(total: number): number {
  return Math.floor(total + 0.5 + EPSILON);
}

/** The score before rounding, 0 to 100. */
export function totalOf(shares: Iterable<{ polarity: Polarity; share: number }>): number {
  let [missed, kept] = [1, 1];
  for (const { polarity, share } of shares) {
    if (polarity === "positive") missed *= 1 - share;
    else kept *= 1 - share;
  }
  return 100 * (1 - missed) * kept;
}

interface Ranked {
  instance: SignalInstance;
  rank: number;
}

function beats(a: Ranked, b: Ranked): boolean {
  if (a.rank !== b.rank) return a.rank > b.rank;
  if (a.instance.detected_at !== b.instance.detected_at) return a.instance.detected_at > b.instance.detected_at;
  // The last two make the choice independent of the order of the instances.
  const [end, otherEnd] = [a.instance.expires_at ?? "~", b.instance.expires_at ?? "~"];
  if (end !== otherEnd) return end > otherEnd;
  return JSON.stringify(a.instance.evidence) < JSON.stringify(b.instance.evidence);
}
