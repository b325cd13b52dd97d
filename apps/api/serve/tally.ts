import { Counter, type CounterConfiguration } from "prom-client";

/** Adds one for these label values. */
export type Count = () => void;

/**
 * A counter for events of every request. prom-client looks up the series at every count, so it gets the sums only when it is
 * scraped, and counting is an addition. Create the function for a set of labels once.
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
