/** How far work was at a time, in ms. */
export type Sample = { at: number; value: number };

/** Rates are those of the last seconds: work that slows down is seen soon. */
const WINDOW_MS = 10_000;
/** A rate over less time than this would jump. */
const LEAST_MS = 1000;

/** The samples with a newer one added, without those that no longer count. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const all = [...samples, sample];
  // The last entry before the window stays, because the window begins there.
  const first = all.findLastIndex(({ at }) => sample.at - at >= WINDOW_MS);
  return all.slice(Math.max(0, first));
}

/** Units per second; undefined until enough time has passed. */
export function rateOf(samples: readonly Sample[]): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < LEAST_MS) return undefined;
  return (1000 * (last.value - first.value)) / (last.at - first.at);
}

/** Seconds until `total` is reached at the present rate; undefined while that is unknown. */
export function secondsLeft(samples: readonly Sample[], total: number): number | undefined {
  const rate = rateOf(samples);
  return rate === undefined || rate <= 0 ? undefined : Math.max(0, total - samples.at(-1)!.value) / rate;
}
