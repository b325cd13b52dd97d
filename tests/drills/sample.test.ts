import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import { describe } from "vitest";
import { SAMPLE_NOW } from "../../infra/start/sample.ts";
import { testNames } from "./sample-parts/names.ts";
import { testRecords } from "./sample-parts/records.ts";
import { plansFile } from "../support/plans-file.ts";
import { withService } from "../support/with-service.ts";

/** To load the sample takes as long as all that is asked of it, so it is loaded once. */
describe("the sample", () => {
  const roomy = { name: "Roomy", max_limit: 50, burst: 1_000_000, quota: 1_000_000_000 };
  const fixture = withService({
    now: SAMPLE_NOW,
    env: { TRANCHE_PLANS_FILE: plansFile({ ...DEFAULT_PLANS, roomy }) },
    start: ["indexer", "api"],
  });
  describe("by the way of an operator and a caller", () => testRecords(fixture));
  describe("by name", () => testNames(fixture, "roomy"));
});
