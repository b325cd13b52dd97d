import { metricsOf } from "./metrics.ts";

/** How many searches an API process has made, by its port for metrics. */
export async function searchesMade(apiMetrics: string): Promise<number> {
  const text = await metricsOf(apiMetrics);
  return Number(/^tranche_search_seconds_count (\d+)/m.exec(text)![1]);
}
