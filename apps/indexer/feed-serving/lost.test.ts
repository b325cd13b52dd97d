import { FIELD_GROUPS } from "@tranche/read-models/documents/field-groups";
import { expect, test } from "vitest";
import { changedUnder } from "./lost.ts";

test("a document that has moved under a lost number is found, also when it has changed again since", () => {
  const lost = [{ above: 10, last: 20, at: "2026-11-29T08:00:00Z" }];
  const [found] = changedUnder(lost).bool!.should as { bool: { filter: object[]; should: { range: object }[] } }[];
  expect(found!.bool.filter).toEqual([{ range: { changed: { gt: 10 } } }]);
  const fields = ["changed", "moved", ...FIELD_GROUPS.map((group) => `moved_${group}`)];
  expect(found!.bool.should).toEqual(fields.map((field) => ({ range: { [field]: { gt: 10, lte: 20 } } })));
});
