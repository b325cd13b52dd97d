import { expect, test } from "vitest";
import { readMapping } from "../sources/mapping-file.ts";
import { assertAnswered, parseMapping } from "./mapping.ts";

const VALUES = { name: { column: "Name" }, names: { column: "Names", as: "list" } };
const COMPANY = { id: "co-{name:key}", name: "{name}" };
const withFields = (fields: object, over: object = {}) => ({
  values: VALUES,
  records: [{ type: "company", fields: { ...COMPANY, ...fields }, ...over }],
});
const withValue = (rule: object) => ({ ...withFields({}), values: { ...VALUES, v: { column: "V", ...rule } } });
const round = (fields: object) => ({
  values: VALUES,
  records: [
    { type: "round", fields: { id: "r", company_id: "c", announced_date: "2020-01-01", amount_usd: null, ...fields } },
  ],
});

test.each<[string, object, string]>([
  ["an unknown encoding", { ...withFields({}), encoding: "klingon" }, "is not a known encoding"],
  [
    "an unknown value in a template",
    withFields({ city: "{nmae}" }),
    "'nmae' is not one of the values, did you mean 'name'?",
  ],
  ["a broken expression", withValue({ empty: ["("] }), "is not a valid regular expression"],
  ["an unknown field", withFields({ citty: "{name}" }), "a company has no field 'citty', did you mean 'city'?"],
  ["a field in capitals", withFields({ Country: "{name}" }), "did you mean 'country'?"],
  [
    "a missing field",
    { ...withFields({}), records: [{ type: "company", fields: { id: "x" } }] },
    "a company needs 'name'",
  ],
  ["an unknown date token", withValue({ as: "date", formats: ["YYYY-MM-DD"] }), "did you mean 'yyyy'?"],
  ["formats of what is not a date", withValue({ formats: ["yyyy"] }), `is for "as": "date", not "text"`],
  ["a list where one value is needed", withFields({ city: "{names}" }), "takes one value, and 'names' is a list"],
  ["several values where one is needed", withFields({ city: ["{name}"] }), "takes one value, not a list"],
  [
    "a text where a number is needed",
    withFields({ headcount: "{name}" }),
    `needs a number: give 'name' "as": "number"`,
  ],
  ["a text as an amount", round({ amount_usd: "{name}" }), `needs a number: give 'name' "as": "amount"`],
  ["a default of a list", withValue({ as: "list", default: "x" }), "a list has no default"],
  ["texts as investors", round({ investors: "inv-{name:key}" }), "or use investor_ids"],
  ["texts in investors", round({ investors: ["inv-{name:key}"] }), "expected an object such as"],
  ["an unknown field of an investor", round({ investors: [{ investor_id: "a", lead: true }] }), "no field 'lead'"],
  ["{item} without for_each", withFields({ city: "{item}" }), "{item} needs 'for_each'"],
  ["{n} in merged ids", withFields({ id: "a-{n}" }, { merge: true }), "{n} makes every id another one"],
  [
    "an unknown currency",
    withValue({ as: "amount", currency: { rates: { EUX: 1 } } }),
    "'EUX' is not a known currency",
  ],
  [
    "rates by year without a date",
    withValue({ as: "amount", currency: { rates: { EUR: { "2020": 1 } } } }),
    "rates by year need 'year'",
  ],
  ["a condition without a test", { ...withFields({}), skip: [{ column: "Name" }] }, "expected either 'fits' or 'not'"],
])("%s is reported when the mapping is read", (_, mapping, message) => {
  expect(() => parseMapping(mapping)).toThrow(message);
});

test("a missing file is named without a code of the system", () => {
  expect(() => readMapping("/nowhere/a.map.json")).toThrow("--map /nowhere/a.map.json: there is no such file");
  expect(() => readMapping(import.meta.dirname)).toThrow("is a folder, expected a file");
});

test("a mapping with an open question is refused with it, and how to answer it", () => {
  const question = {
    id: "date_order",
    column: "Date",
    question: "Which part comes first?",
    answers: { day_first: "the day", month_first: "the month" },
    place: "values.date.formats",
  };
  const open = parseMapping({ ...withFields({}), questions: [question] });
  const refused = () => assertAnswered(open, "deals.map.json");
  expect(refused).toThrow("deals.map.json: a question is open");
  expect(refused).toThrow("date_order (column 'Date'): Which part comes first?");
  expect(refused).toThrow("--answer date_order=day_first");
  expect(refused).toThrow("in the mapping: values.date.formats");
  expect(() => assertAnswered(parseMapping(withFields({})), "deals.map.json")).not.toThrow();
});
