import type { Benchmark } from "../benchmark.ts";
import { fundingRequests } from "../requests/funding.ts";
import { newPages } from "./against-engine.ts";

/** Pages that were not requested before, with their exact count. */
export const searchCold: Benchmark = {
  name: "search-cold",
  about: "distinct filtered funding pages with their exact count, against the same search sent to Elasticsearch alone",
  ...newPages("funding", fundingRequests),
};
