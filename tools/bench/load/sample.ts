import { createHistogram, type RecordableHistogram } from "node:perf_hooks";

/** The measurements of one target. Times in ms. */
export type Sample = {
  name: string;
  /** How long was measured, in seconds. */
  seconds: number;
  requests: number;
  /** CPU time of all that worked for it, by what it is, in ms. */
  cpuMs: Record<string, number>;
  failures: string[];
  /** In µs; exact to three digits. */
  histogram: RecordableHistogram;
};

const MAX_FAILURES = 5;

export function createSample(name: string): Sample {
  return {
    name,
    seconds: 0,
    requests: 0,
    cpuMs: {},
    failures: [],
    histogram: createHistogram({ lowest: 1, highest: 60_000_000, figures: 3 }),
  };
}

export function recordMeasurement(sample: Sample, ms: number, failure?: string): void {
  if (failure !== undefined && sample.failures.length < MAX_FAILURES) sample.failures.push(failure);
  sample.requests++;
  sample.histogram.record(Math.max(1, Math.round(ms * 1000)));
}

export type Figures = {
  requests: number;
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  cpu_us: Record<string, number>;
};

export function figuresOf(sample: Sample): Figures {
  const at = (percentile: number) => Math.round(sample.histogram.percentile(percentile)) / 1000;
  return {
    requests: sample.requests,
    per_second: Math.round((sample.requests / sample.seconds) * 10) / 10,
    p50_ms: at(50),
    p99_ms: at(99),
    cpu_us: Object.fromEntries(
      Object.entries(sample.cpuMs).map(([name, ms]) => [name, Math.round((1000 * ms) / sample.requests)]),
    ),
  };
}
