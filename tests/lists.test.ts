import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import { describe } from "vitest";
import { testCompanies } from "./lists/companies.ts";
import { testExclusion } from "./lists/exclusion.ts";
import { testFields } from "./lists/fields.ts";
import { testFreshWhileWriting } from "./lists/fresh-while-writing.ts";
import { testFrontCache } from "./lists/front-cache.ts";
import { testLackingFields } from "./lists/lacking-fields.ts";
import { testMirror } from "./lists/mirror.ts";
import { testSignals } from "./lists/signals.ts";
import { testSpellings } from "./lists/spellings.ts";
import { emptyAfterwards } from "./support/emptied.ts";
import { plansFile } from "./support/plans-file.ts";
import { type Fixture, withService } from "./support/with-service.ts";

/** Each of these looks at everything that a list has, so they have the installation one after another. */
const PARTS: Record<string, (fixture: Fixture) => void> = {
  companies: testCompanies,
  "items that are left out": testExclusion,
  "fields of rows": testFields,
  "signals, from an operator's ingest to a caller's request": testSignals,
  "spellings of names": testSpellings,
  "the front cache": testFrontCache,
  "pages while records are written": testFreshWhileWriting,
  "mirrors of the guide": testMirror,
  "fields that documents lack": testLackingFields,
};

/** The usual plans, and one without limits in practice. */
const PLANS = { ...DEFAULT_PLANS, scale: { ...DEFAULT_PLANS["scale"]!, burst: 1_000_000, quota: 1_000_000_000 } };

const fixture = withService({
  now: "2025-06-15T12:00:00Z",
  env: { TRANCHE_PLANS_FILE: plansFile(PLANS) },
  start: ["indexer", "api"],
});

describe.each(Object.entries(PARTS))("%s", (_, tests) => {
  emptyAfterwards(fixture);
  tests(fixture);
});
