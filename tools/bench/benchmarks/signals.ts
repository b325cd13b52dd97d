import type { Benchmark } from "../benchmark.ts";
import { signalsRequests } from "../requests/signals.ts";
import { newPages } from "./against-engine.ts";

/** The list of companies, with requests that were not made before. */
export const signals: Benchmark = {
  name: "signals",
  about: "distinct pages of companies by signals, technologies, city and score, against Elasticsearch alone",
  ...newPages("signals", signalsRequests),
};
