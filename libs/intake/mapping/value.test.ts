import { describe, expect, test } from "vitest";
import { parseMapping } from "./mapping.ts";
import { type Value, valueReader } from "./value.ts";

/** The value of `rule`, or why it can't be read. `others` are further values. */
function read(rule: object, row: string | Record<string, string>, mapping: object = {}, others: object = {}): Value {
  const values = { v: { column: "V", ...rule }, ...others };
  const whole = { ...mapping, values, records: [{ type: "company", fields: { id: "a", name: "b" } }] };
  const { values: found, problems } = valueReader(parseMapping(whole))(typeof row === "string" ? { V: row } : row);
  return problems.length > 0
    ? problems.map(({ field, reason }) => `${field}: ${reason}`).join("; ")
    : (found["v"] ?? null);
}

test("dates are read by the first format that fits", () => {
  const rule = { as: "date", formats: ["dd/MM/yyyy", "dd/MMyyyy"] };
  expect(read(rule, "05/072018")).toBe("2018-07-05");
  expect(read(rule, "31/02/2020")).toBe("V: '31/02/2020' is not a valid date of the form dd/MM/yyyy or dd/MMyyyy");
});

test("empty texts are null, or the default; cases come before otherwise", () => {
  expect(read({ empty: ["undisclosed"] }, " UNDISCLOSED ")).toBeNull();
  expect(read({ default: "IN" }, "nan", { empty: ["nan"] })).toBe("IN");
  const rule = { cases: [["new york|sfo", "US"]], otherwise: null, default: "IN" };
  expect(read(rule, "New York")).toBe("US");
  expect(read(rule, "Pune")).toBe("IN");
});

test("labels become words, and keep a plus", () => {
  expect(read({ as: "label" }, "series-c+")).toBe("series_c_plus");
});

test("numbers have no currency and are not rounded", () => {
  expect(read({ as: "number" }, "1,250")).toBe(1250);
  expect(read({ as: "number", decimal: "," }, "0,575")).toBe(0.575);
  expect(read({ as: "number" }, "$5")).toBe("V: '$5' is not a valid number");
});

describe("several columns", () => {
  test("the first that is not empty counts", () => {
    const rule = { column: ["City", "Region"], empty: ["n/a"] };
    expect(read(rule, { City: "Pune", Region: "West" })).toBe("Pune");
    expect(read(rule, { City: "N/A", Region: "West" })).toBe("West");
    expect(read(rule, { City: "", Region: "n/a" })).toBeNull();
  });

  test("with join, all that are not empty: a date from three columns", () => {
    const rule = { column: ["Y", "M", "D"], join: "-", as: "date", formats: ["yyyy-M-d", "yyyy-M"] };
    expect(read(rule, { Y: "2013", M: "5", D: "17" })).toBe("2013-05-17");
    expect(read(rule, { Y: "2013", M: "5", D: "" })).toBe("2013-05-01");
    expect(read(rule, { Y: "2013", M: "x", D: "" })).toContain("Y, M, D: '2013-x' is not a valid date");
  });

  test("a list has the items of all", () => {
    expect(read({ column: ["A", "B"], as: "list" }, { A: "x, y", B: "Y, z" })).toEqual(["x", "y", "z"]);
  });
});

test("with 'when', a condition on other columns that does not hold makes the value null", () => {
  const rule = {
    as: "amount",
    when: [
      { column: "Cur", fits: "usd" },
      { column: "Note", not: ".*undisclosed.*" },
    ],
  };
  expect(read(rule, { V: "5", Cur: "USD", Note: "" })).toBe(5);
  expect(read(rule, { V: "5", Cur: "EUR", Note: "" })).toBeNull();
  expect(read(rule, { V: "5", Cur: "USD", Note: "Undisclosed!" })).toBeNull();
});

describe("amounts", () => {
  test("a factor multiplies, and decimals round", () => {
    expect(read({ as: "amount", factor: 1000 }, "1.15")).toBe(1150);
    expect(read({ as: "amount", decimals: 0 }, "48,89,975.54")).toBe(4_889_976);
  });

  test("another currency is refused with the reason and the way to convert it", () => {
    expect(read({ as: "amount" }, "£750k")).toBe(
      `V: '£750k' is in GBP, expected US dollars: give a rate for GBP under "currency"`,
    );
    expect(read({ as: "amount", currency: { rates: { GBP: 1.5 } } }, "£750k")).toBe(1_125_000);
  });

  test("a bare $ is the row's dollar; two currencies that contradict each other are refused", () => {
    const rule = { as: "amount", currency: { column: "Cur", rates: { CAD: 0.75, EUR: 1.1 } } };
    expect(read(rule, { V: "$4m", Cur: "CAD" })).toBe(3_000_000);
    expect(read(rule, { V: "$4m", Cur: "EUR" })).toContain("is written in $, but its currency is given as EUR");
    expect(read(rule, { V: "4m", Cur: "" })).toBe("V: '4m' has no currency: column 'Cur' is empty");
    expect(read(rule, { V: "4m", Cur: "EURO" })).toBe(4_400_000);
    expect(read(rule, { V: "4m", Cur: "Taler" })).toContain("'Taler' is not a known currency");
    expect(read({ as: "amount", currency: { is: "EUR", rates: { "€": 1.1 } } }, "1,000")).toBe(1100);
  });

  test("rates can depend on the year of a date, wherever it is", () => {
    const rates = { EUR: { "2019": 1.12, "2020": 1.14 } };
    const rule = { as: "amount", currency: { column: "Cur", year: "date", rates } };
    const at = (Date: string) =>
      read(rule, { V: "100", Cur: "EUR", Date }, {}, { date: { column: "Date", as: "date" } });
    expect(at("2019-05-01")).toBe(112);
    expect(at("2020-05-01")).toBe(114);
    expect(at("2021-05-01")).toBe("V: '100' is in EUR, which has no rate for 2021, only for 2019 to 2020");
    expect(at("")).toContain("whose rate depends on the year, and the date is empty");
  });
});

test("'else' takes the place of what can't be read, and its column and text are noted", () => {
  const mapping = parseMapping({
    values: { amount: { column: "Amount", as: "amount", else: null } },
    records: [{ type: "company", fields: { id: "a", name: "b" } }],
  });
  expect(valueReader(mapping)({ Amount: "lots" })).toEqual({
    values: { amount: null },
    coarse: [],
    problems: [],
    replaced: [{ column: "Amount", text: "lots" }],
  });
});

test("items of a list may be empty texts, and line breaks may separate them", () => {
  expect(read({ as: "list", separator: ";", empty: ["n\\.n\\."] }, "n.n.; Blue Fund")).toEqual(["Blue Fund"]);
  expect(read({ as: "list", separator: "\\n" }, "Blue\nRed  Fund\r\n")).toEqual(["Blue", "Red Fund"]);
});

test("countries have names in many languages; an unknown one stays as it is", () => {
  const names = ["Deutschland", "Frankreich", "États-Unis", "中国", "Россия", "uk", "Großbritannien"];
  expect(names.map((name) => read({ as: "country" }, name))).toEqual(["DE", "FR", "US", "CN", "RU", "GB", "GB"]);
  expect(read({ as: "country" }, "Freedonia")).toBe("Freedonia");
});

test("dates that say no day are noted", () => {
  const mapping = parseMapping({
    values: { date: { column: "Date", as: "date", formats: ["yyyy-MM-dd", "'Q'q yyyy", "iso", "yyyy"] } },
    records: [{ type: "company", fields: { id: "a", name: "b" } }],
  });
  const coarse = (text: string) => valueReader(mapping)({ Date: text }).coarse;
  expect(["Q3 2012", "2013"].map(coarse)).toEqual([
    [{ column: "Date", text: "Q3 2012" }],
    [{ column: "Date", text: "2013" }],
  ]);
  expect(["2013-05-17", "2013-05-17 12:00", ""].map(coarse)).toEqual([[], [], []]);
});
