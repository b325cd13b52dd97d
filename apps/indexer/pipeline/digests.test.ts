import { groupedFields } from "@tranche/read-models/documents/field-groups";
import type { FeedModel } from "@tranche/shared/protocol/feed/keys";
import { expect, test } from "vitest";
import { digestsOf } from "./digests.ts";

/** A document with a value in each field that filters use. */
const sample = (model: FeedModel) => ({
  ...Object.fromEntries(groupedFields(model).map((field, n) => [field, `${n}`])),
  row: "{}",
  lead_investors: ["A"],
});

test.each([
  ["funding", "OO4sAoz_GPIab9xHM_kg"],
  ["companies", "h0cp3OMHEyssQSTLlehR"],
] as const)("documents of %s have the digests that stored ones have", (model, content_hash) => {
  expect(
    digestsOf(model, sample(model)).content_hash,
    "Stored documents have another digest, so the next rebuild announces each of them to followers and webhooks once. If that has to be " +
      "(docs/decisions/0040-a-feed-that-misses-nothing.md), say so under Upgrading in CHANGELOG.md, and put the digest here.",
  ).toBe(content_hash);
});
