import { expect, test } from "vitest";
import { extensionOf } from "./extension.ts";
import type { IndexVersion } from "./index-versions.ts";

const keyword = { type: "keyword" } as const;
const OWN = { schema: 7, derivation: 2 };
const FIELDS = { id: keyword, count: { type: "long" }, row: { type: "object", enabled: false } } as const;
const index = (more: Partial<IndexVersion>): IndexVersion => ({
  index: "i",
  created: OWN,
  also: undefined,
  incomplete: [],
  fields: FIELDS,
  ...more,
});

test("an index of this version stays as it is", () => {
  expect(extensionOf(index({}), FIELDS, OWN)).toEqual({ added: {}, conflicting: [], notes: undefined });
});

test("an earlier index gets the fields that it lacks, and notes them and its writer", () => {
  const older = { created: { schema: 6, derivation: 2 }, fields: { id: keyword, row: { type: "object" } as const } };
  expect(extensionOf(index(older), FIELDS, OWN)).toEqual({
    added: { count: FIELDS.count },
    conflicting: [],
    notes: { schema: 6, derivation: 2, also: OWN, incomplete: ["count"] },
  });
  // Another start finds nothing to do.
  const extended = { ...older, fields: FIELDS, also: OWN, incomplete: ["count"] };
  expect(extensionOf(index(extended), FIELDS, OWN).notes).toBeUndefined();
});

test("a later writer stays noted, and a field of another type is left out", () => {
  const created = { schema: 6, derivation: 1 };
  const also = { schema: 8, derivation: 3 };
  const { conflicting, notes } = extensionOf(
    index({ created, also, fields: { ...FIELDS, count: keyword } }),
    FIELDS,
    OWN,
  );
  expect(conflicting).toEqual(["count"]);
  expect(notes).toEqual({ ...created, also, incomplete: ["count"] });
});

test("an index with other rules only notes its writer; one of a later version is left alone", () => {
  const created = { schema: 7, derivation: 1 };
  expect(extensionOf(index({ created }), FIELDS, OWN)).toEqual({
    added: {},
    conflicting: [],
    notes: { ...created, also: OWN },
  });
  const later = { created: { schema: 8, derivation: 2 }, fields: { id: keyword } };
  expect(extensionOf(index(later), FIELDS, OWN)).toEqual({ added: {}, conflicting: [], notes: undefined });
});
