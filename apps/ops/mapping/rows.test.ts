import { describe, expect, test } from "vitest";
import { parseMapping } from "./mapping.ts";
import { createRowMapper } from "./rows.ts";

const COMPANY = { type: "company", merge: true, fields: { id: "co-{name:key}", name: "{name}", city: "{city}" } };
const VALUES = { name: { column: "Name" }, city: { column: "City" } };

const mapper = (mapping: object) => createRowMapper(parseMapping(mapping));

describe("merged records", () => {
  test("are given once, and again only when a row fills in what was empty", () => {
    const map = mapper({ values: VALUES, records: [COMPANY] });
    expect(map({ Name: "Acme Inc.", City: "" })).toEqual({
      kind: "records",
      values: [{ type: "company", id: "co-acme-inc", name: "Acme Inc.", city: null }],
    });
    expect(map({ Name: "ACME Inc", City: "Pune" })).toEqual({
      kind: "records",
      values: [{ type: "company", id: "co-acme-inc", name: "Acme Inc.", city: "Pune" }],
    });
    expect(map({ Name: "Acme Inc.", City: "Mumbai" })).toEqual({ kind: "records", values: [] });
  });
});

const expected = (id: string) => ({
  kind: "records",
  values: [{ type: "round", id, source_url: null, investor_ids: ["inv-blue-fund", "inv-red-co"], amount_usd: null }],
});

describe("templates", () => {
  test("{n} numbers equal ids; a null in a text makes it null; a list gives a list", () => {
    const map = mapper({
      values: { ...VALUES, names: { column: "Investors", as: "list", leave_out: ["others?"] } },
      records: [
        {
          type: "round",
          fields: {
            id: "r-{name:key}-{n}",
            source_url: "https://example.com/{city}",
            investor_ids: "inv-{names:key}",
            amount_usd: null,
          },
        },
      ],
    });
    const row = { Name: "Acme", City: "", Investors: "Blue Fund, Others, blue fund,  Red & Co" };
    expect(map(row)).toEqual(expected("r-acme-1"));
    expect(map(row)).toEqual(expected("r-acme-2"));
  });

  test("for_each makes a record of each item", () => {
    const map = mapper({
      values: { names: { column: "Investors", as: "list", separator: ";" } },
      records: [{ type: "investor", for_each: "names", merge: true, fields: { id: "inv-{item:key}", name: "{item}" } }],
    });
    expect(map({ Investors: "A;B" })).toMatchObject({
      values: [
        { id: "inv-a", name: "A" },
        { id: "inv-b", name: "B" },
      ],
    });
    expect(map({ Investors: "" })).toMatchObject({ values: [] });
  });
});

const one = (rule: object, text: string, mapping: object = {}) =>
  mapper({ ...mapping, values: { v: { column: "V", ...rule } }, records: [{ type: "round", fields: { v: "{v}" } }] })({
    V: text,
  });
const value = (rule: object, text: string, mapping: object = {}) => {
  const row = one(rule, text, mapping);
  return row.kind === "records" ? (row.values[0] as { v: unknown }).v : row;
};

describe("values", () => {
  test("dates are read by the first format that fits, strictly", () => {
    const rule = { as: "date", formats: ["dd/MM/yyyy", "dd/MMyyyy"] };
    expect(value(rule, "09/01/2020")).toBe("2020-01-09");
    expect(value(rule, "05/072018")).toBe("2018-07-05");
    expect(value(rule, "31/02/2020")).toEqual({
      kind: "refused",
      problems: [{ field: "V", reason: "'31/02/2020' is no date of the form dd/MM/yyyy or dd/MMyyyy" }],
    });
  });

  test("empty texts are null, or the default; cases come before otherwise", () => {
    expect(value({ empty: ["undisclosed"] }, " UNDISCLOSED ")).toBeNull();
    expect(value({ default: "IN" }, "nan", { empty: ["nan"] })).toBe("IN");
    const rule = { cases: [["new york|sfo", "US"]], otherwise: null, default: "IN" };
    expect(value(rule, "New York")).toBe("US");
    expect(value(rule, "Pune")).toBe("IN");
  });

  test("labels become words, and keep a plus", () => {
    expect(value({ as: "label" }, "series-c+")).toBe("series_c_plus");
  });
});

test("skipped and exactly equal rows are left out, when the mapping says so", () => {
  const map = mapper({
    drop_duplicate_rows: true,
    skip: [{ column: "Name", fits: "total.*" }],
    values: VALUES,
    records: [COMPANY],
  });
  expect(map({ Name: "Total: 7", City: "" }).kind).toBe("skipped");
  expect(map({ Name: "A", City: "" }).kind).toBe("records");
  expect(map({ Name: "A", City: "" }).kind).toBe("skipped");
  expect(map({ Name: "A", City: "x" }).kind).toBe("records");
});

test("a mapping that is wrong is refused, with every reason", () => {
  expect(() =>
    parseMapping({ encoding: "klingon", values: VALUES, records: [{ type: "deal", fields: { id: "{nmae}" } }] }),
  ).toThrow(/klingon|no encoding/);
  expect(() => parseMapping({ values: VALUES, records: [{ type: "round", fields: { id: "{nmae}" } }] })).toThrow(
    /'nmae' is none of the values/,
  );
  expect(() => parseMapping({ values: { v: { column: "V", empty: ["("] } }, records: [COMPANY] })).toThrow(
    /no regular expression/,
  );
});
