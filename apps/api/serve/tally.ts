import { Counter, type CounterConfiguration } from "prom-client";

/** Counts one with these values of its labels. */
export type Count = () => void;

/**
 * A counter for what happens with every request. prom-client looks for the series each time it counts; so it is told only when
 * somebody wants to see it, and counting is an addition. Make what counts for some labels once.
 */
export function createTally<Label extends string>(
  config: Omit<CounterConfiguration<Label>, "collect">,
): (...labels: string[]) => Count {
  const series: { labels: string[]; due: number }[] = [];
  const counter = new Counter({
    ...config,
    collect() {
      for (const each of series) {
        if (each.due > 0) counter.labels(...each.labels).inc(each.due);
        each.due = 0;
      }
    },
  });
  return (...labels) => {
    const own = { labels, due: 0 };
    series.push(own);
    return () => void own.due++;
  };
}
