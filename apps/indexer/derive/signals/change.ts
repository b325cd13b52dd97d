import { signalDefinition } from "@tranche/shared/domain/signals/catalogue";
import type { SignalInstance } from "@tranche/shared/domain/signals/instance";
import { bestInstances, decayOf, rankOf, roundedScore, scoreOf, totalOf } from "@tranche/shared/domain/signals/score";
import { dayOf, type Day } from "@tranche/shared/domain/time/day";
import { deriveInstances } from "./derive.ts";
import type { CompanyHistory } from "./history.ts";
import { newestDetections } from "./newest-detections.ts";
import { roundsUntil, totals } from "./rounds.ts";

/**
 * The earliest day after `today` on which the document changes without new data: its live signals, their order, instances or newest days, its
 * rounded score, its newest round or its totals. Null when it never does.
 * `known`: its instances of today.
 */
export function nextChangeDay(
  history: CompanyHistory,
  today: Day,
  known: readonly SignalInstance[] = deriveInstances(history, today),
): Day | null {
  let shown: Shown | undefined;
  let [day, instances, live] = [today, known, bestInstances(known, today)];
  for (;;) {
    const event = nextEvent(history, instances, day);
    const drift = driftDay(live, day, event ?? Infinity);
    if (drift !== null) return drift;
    if (event === null) return null;
    shown ??= show(history, known, live, today);
    [day, instances] = [event, deriveInstances(history, event)];
    live = bestInstances(instances, day);
    if (!same(shown, show(history, instances, live, day))) return day;
  }
}

interface Shown {
  live: SignalInstance[];
  detections: string;
  score: number;
  totals: string;
}

function show(history: CompanyHistory, instances: readonly SignalInstance[], live: SignalInstance[], day: Day): Shown {
  const newest = newestDetections(instances, day);
  return {
    live,
    detections: live.map(({ key }) => newest.get(key)).join(),
    score: scoreOf(live, day),
    totals: JSON.stringify(totals(roundsUntil(history.rounds, day))),
  };
}

function same(a: Shown, b: Shown): boolean {
  return (
    a.score === b.score &&
    a.totals === b.totals &&
    a.detections === b.detections &&
    JSON.stringify(a.live) === JSON.stringify(b.live)
  );
}

/** The first day after `day` on which a signal starts or ends, or a round or snapshot that was in the future counts. */
function nextEvent(history: CompanyHistory, instances: readonly SignalInstance[], day: Day): Day | null {
  let next = Infinity;
  const consider = (date: string | null): void => {
    if (date === null) return;
    const at = dayOf(date);
    if (at > day && at < next) next = at;
  };
  for (const round of history.rounds) consider(round.announced_date);
  for (const snapshot of history.snapshots) consider(snapshot.observed_at);
  for (const instance of instances) {
    consider(instance.detected_at);
    consider(instance.expires_at);
  }
  return next === Infinity ? null : next;
}

/**
 * The first day between `day` and `end` (both excluded) on which the same live signals have another score or order, because they
 * decay at different speeds. The search ends: after about 40 half-lives no share is large enough to change anything.
 */
function driftDay(live: readonly SignalInstance[], day: Day, end: Day): Day | null {
  const fading = live.map((instance) => {
    const { polarity, weight, halfLifeDays } = signalDefinition(instance.key);
    return {
      polarity,
      full: (weight / 100) * instance.strength,
      halfLifeDays,
      from: dayOf(instance.detected_at),
      share: 0,
    };
  });
  if (!fading.some((signal) => signal.halfLifeDays !== null && signal.full > 0)) return null;
  const score = scoreOf(live, day);
  for (let at = day + 1; at < end; at++) {
    let left = false;
    let [rank, ordered] = [Infinity, true];
    for (const [i, signal] of fading.entries()) {
      signal.share = signal.full * decayOf(signal.halfLifeDays, at - signal.from);
      const next = rankOf(signal.share);
      if (next > rank || (next === rank && live[i]!.key < live[i - 1]!.key)) ordered = false;
      rank = next;
      if (signal.halfLifeDays !== null && next > 0) left = true;
    }
    if (!ordered || roundedScore(totalOf(fading)) !== score) return at;
    if (!left) return null;
  }
  return null;
}
