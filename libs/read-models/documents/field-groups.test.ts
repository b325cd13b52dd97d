import { expect, test } from "vitest";
import { searchedFields } from "../indices/mappings.ts";
import { groupedFields, groupOf, groupsOf } from "./field-groups.ts";

test.each(["funding", "companies"] as const)("every field of %s that filters use is in one group", (model) => {
  const fields = groupedFields(model);
  // It says when time changes a document; no filter uses it.
  const searched = searchedFields(model).filter((field) => !["gone", "next_change_at"].includes(field));
  expect(fields.toSorted()).toEqual(searched.toSorted());
  expect(new Set(fields).size).toBe(fields.length);
});

test("a field of both read models is in the same group of each", () => {
  const [funding, companies] = [groupsOf("funding"), groupsOf("companies")];
  for (const [n, fields] of funding.entries()) {
    const others = companies.flatMap((group, at) => (at === n ? [] : group));
    expect(fields.filter((field) => others.includes(field))).toEqual([]);
  }
});

test("a field that no filter uses has no group", () => {
  expect(() => groupOf("row")).toThrow("the field 'row' is in no group");
});
