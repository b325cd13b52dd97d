import type { Benchmark } from "../benchmark.ts";
import { fundingRequests } from "../requests/funding.ts";
import { againstEngine } from "./against-engine.ts";

/** Pages that were not requested before, with their exact count. */
export const searchCold: Benchmark = {
  name: "search-cold",
  about: "distinct filtered funding pages with their exact count, against the same search sent to Elasticsearch alone",
  comparesCommits: "also-own-engines",
  run: (environment, options) => againstEngine(environment, options, "funding", fundingRequests),
};
