import { expect, test } from "vitest";
import type { Field } from "../../../../apps/dashboard/explore/list-fields.ts";
import { draftOf, filled, paramsOf, rebased } from "./draft.ts";
import { readParams, writeParams } from "./params.ts";

const field = (name: string, kind: Field["kind"]): Field => ({ name, kind, description: "", example: "" });
const FIELDS = [field("country", "list"), field("from", "date"), field("min_amount_usd", "number")];

test("a form and its request say the same", () => {
  const params = readParams("country=US&country=!DE&from=2013-01-01&foo=1");
  const draft = draftOf(FIELDS, params);
  expect(draft).toEqual({
    country: [
      { text: "US", excluded: false },
      { text: "DE", excluded: true },
    ],
    from: "2013-01-01",
    min_amount_usd: "",
  });
  expect(writeParams(paramsOf(FIELDS, draft, params))).toBe("country=US,!DE&from=2013-01-01&foo=1");
  expect(filled(["country", "from", "min_amount_usd"], draft)).toBe(2);
});

test("an emptied field is left out, and blanks around a text as well", () => {
  const params = readParams("country=US&from=2013-01-01");
  const draft = { country: [], from: "", min_amount_usd: " 5 " };
  expect(writeParams(paramsOf(FIELDS, draft, params))).toBe("min_amount_usd=5");
});

test("what was entered and not sent stays when the request changes elsewhere", () => {
  const before = draftOf(FIELDS, readParams("country=US&from=2013-01-01"));
  const draft = { ...before, min_amount_usd: "5", from: "2013-02-02" };
  const after = draftOf(FIELDS, readParams("country=DE&from=2013-01-01"));
  expect(rebased(draft, before, after)).toEqual({
    country: [{ text: "DE", excluded: false }],
    from: "2013-02-02",
    min_amount_usd: "5",
  });
});
