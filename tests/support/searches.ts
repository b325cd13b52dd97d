import { metricsOf } from "./metrics.ts";

/** How many searches an API process has made, by its metrics for operators. */
export async function searchesMade(operator: string): Promise<number> {
  const text = await metricsOf(operator);
  return Number(/^tranche_search_seconds_count (\d+)/m.exec(text)![1]);
}
