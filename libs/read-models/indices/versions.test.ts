import { createHash } from "node:crypto";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { overlaid } from "@tranche/shared/domain/records/overlay";
import { daysOf } from "@tranche/shared/domain/records/snapshots";
import { expect, test } from "vitest";
import { companyDocument } from "../../../apps/indexer/derive/company.ts";
import { fundingDocument } from "../../../apps/indexer/derive/funding.ts";
import { investorDocument } from "../../../apps/indexer/derive/investor.ts";
import { sourceHash } from "../../../tests/support/source-hash.ts";
import { readModelIndex } from "./mappings.ts";
import { DERIVATION, isNewer, isOlder, READ_MODEL_SCHEMA, versionsIn } from "./versions.ts";

/** Imported so that `vitest --changed` runs the test when one of the modules behind them changes. */
const RULES = {
  "apps/indexer/derive/company.ts": companyDocument,
  "apps/indexer/derive/funding.ts": fundingDocument,
  "apps/indexer/derive/investor.ts": investorDocument,
  "libs/shared/domain/records/snapshots.ts": daysOf,
  "libs/shared/domain/records/overlay.ts": overlaid,
};

const hashOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);

test("the mappings are those of the schema's number", () => {
  const indices = READ_MODELS.map((model) => {
    const { mappings, settings } = readModelIndex(model, { shards: 1, replicas: 0 });
    const { "sort.field": fields, "sort.order": orders } = settings;
    return { properties: mappings.properties, fields, orders };
  });
  expect(
    { schema: READ_MODEL_SCHEMA, hash: hashOf(indices) },
    "A mapping has changed: raise READ_MODEL_SCHEMA, and put the new number and hash here.",
  ).toEqual({ schema: 2, hash: "5d3d7af4f5f8f25e" });
});

test("the rules of derivation are those of its number", () => {
  const { hash, behind } = sourceHash(Object.keys(RULES));
  expect(
    { derivation: DERIVATION, hash },
    "The code or a table behind the derivation has changed. If the same records can give other documents, raise DERIVATION in " +
      "libs/read-models/indices/versions.ts. Put the number and the received hash into this test in either case.",
  ).toEqual({ derivation: 1, hash: "4d0e624cb709b287" });
  // The tables are among what is watched, or this test would prove little.
  expect(behind).toEqual(
    expect.arrayContaining([
      "libs/shared/domain/signals/catalogue.ts",
      "libs/shared/domain/signals/score.ts",
      "libs/shared/domain/technologies/table.json",
      "libs/shared/domain/vocabulary/deal-types.ts",
    ]),
  );
});

test("versions are newer or older when one of both is; one that is not noted is 0", () => {
  const own = { schema: 6, derivation: 2 };
  expect([isNewer(own, own), isOlder(own, own)]).toEqual([false, false]);
  expect(isNewer({ schema: 5, derivation: 3 }, own)).toBe(true);
  expect(isNewer({ schema: 7, derivation: 2 }, own)).toBe(true);
  expect(isOlder({ schema: 6, derivation: 1 }, own)).toBe(true);
  expect(versionsIn({ schema: 6 })).toEqual({ schema: 6, derivation: 0 });
  expect(versionsIn(undefined)).toEqual({ schema: 0, derivation: 0 });
});
