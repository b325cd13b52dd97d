import type { Outcome } from "../benchmark.ts";
import { figuresOf, type Sample } from "../load/sample.ts";

/** The samples of a comparison as a table. Throws when a target answered with anything but success. */
export function samplesTable(samples: readonly Sample[]): Outcome["table"] {
  for (const { name, failures } of samples) if (failures.length > 0) throw new Error(`${name} failed: ${failures[0]}`);
  return {
    head: ["target", "requests/s", "p50 ms", "p99 ms", "CPU µs/request", "requests"],
    rows: samples.map((sample) => {
      const { per_second, p50_ms, p99_ms, cpu_us, requests } = figuresOf(sample);
      return [sample.name, per_second, p50_ms, p99_ms, shownCpu(cpu_us), requests];
    }),
  };
}

/** CPU times of parts in one cell. */
export const shownCpu = (cpu: Record<string, number>): string =>
  Object.entries(cpu)
    .map(([name, us]) => `${name} ${us}`)
    .join(", ");

/** The same for machines. */
export const samplesFigures = (samples: readonly Sample[]) =>
  samples.map((sample) => ({ target: sample.name, ...figuresOf(sample) }));
