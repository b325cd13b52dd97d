import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { describe, expect, test } from "vitest";
import { parseMapping } from "./mapping.ts";
import { createRowMapper } from "./rows.ts";

const VOCABULARY = { dealTypes: dealTypes(), today: "2026-01-01" };
const mapper = (mapping: object) => createRowMapper(parseMapping(mapping), VOCABULARY);

const COMPANY = { type: "company", merge: true, fields: { id: "co-{name:key}", name: "{name}", city: "{city}" } };
const VALUES = { name: { column: "Name" }, city: { column: "City" } };
const ROUND = { id: "r-{name:key}-{date}", company_id: "co-{name:key}", announced_date: "{date}", amount_usd: null };
const ROUND_VALUES = { name: { column: "Name" }, date: { column: "Date", as: "date" } };

const records = (values: object[], filled: object[] = []) => ({ kind: "records", values, filled, notes: [] });
const problems = (row: ReturnType<ReturnType<typeof mapper>>) =>
  row.kind === "refused" ? row.problems.map(({ field, reason }) => `${field}: ${reason}`) : row;

describe("merged records", () => {
  test("are given once, and again only when a row fills in what was empty", () => {
    const map = mapper({ values: VALUES, records: [COMPANY] });
    const acme = { type: "company", id: "co-acme-inc", name: "Acme Inc." };
    expect(map({ Name: "Acme Inc.", City: "" })).toEqual(records([{ ...acme, city: null }]));
    expect(map({ Name: "Acme Inc.", City: "Pune" })).toEqual(records([], [{ ...acme, city: "Pune" }]));
    expect(map({ Name: "Acme Inc.", City: "Pune" })).toEqual(records([]));
  });

  test("a row that contradicts an earlier one is noted", () => {
    const map = mapper({ values: VALUES, records: [COMPANY] });
    map({ Name: "Acme", City: "Pune" });
    expect(map({ Name: "Acme", City: "Mumbai" })).toMatchObject({
      values: [],
      filled: [],
      notes: [{ kind: "differing", field: "company.city" }],
    });
  });

  test("lists of all rows are united; an investor is the lead if any row says so", () => {
    const map = mapper({
      values: {
        ...ROUND_VALUES,
        investor: { column: "Investor" },
        lead: { column: "Lead", cases: [["yes", true]], otherwise: false },
        tags: { column: "Tags", as: "list", separator: ";" },
      },
      records: [
        { ...COMPANY, fields: { id: "co-{name:key}", name: "{name}", tech_stack: "{tags}" } },
        {
          type: "round",
          merge: true,
          fields: { ...ROUND, investors: [{ investor_id: "inv-{investor:key}", is_lead: "{lead}" }] },
        },
      ],
    });
    const row = { Name: "Acme", Date: "2020-01-02" };
    map({ ...row, Investor: "Blue", Lead: "no", Tags: "C;C++" });
    map({ ...row, Investor: "Red", Lead: "", Tags: "" });
    expect(map({ ...row, Investor: "blue", Lead: "yes", Tags: "C#; c++" })).toMatchObject({
      filled: [
        { tech_stack: ["C", "C++", "C#", "c++"] },
        {
          investors: [
            { investor_id: "inv-blue", is_lead: true },
            { investor_id: "inv-red", is_lead: null },
          ],
        },
      ],
    });
  });

  test("every row whose id is null is refused, with the column that is empty", () => {
    const map = mapper({ values: ROUND_VALUES, records: [{ type: "round", merge: true, fields: ROUND }] });
    for (const Name of ["Beta", "Gamma", "Delta"])
      expect(problems(map({ Name, Date: "" }))).toEqual(["round.id: column 'Date' is empty"]);
  });

  test("a refused row leaves nothing behind: a later good one makes the record", () => {
    const map = mapper({
      values: { ...ROUND_VALUES, site: { column: "Site" } },
      records: [{ type: "round", merge: true, fields: { ...ROUND, source_url: "{site}" } }],
    });
    const row = { Name: "Acme", Date: "2020-01-02" };
    expect(problems(map({ ...row, Site: "hhttp://acme.com" }))).toEqual([
      expect.stringMatching(
        /^round\.source_url: expected an http\(s\) address.*; column 'Site': 'hhttp:\/\/acme\.com'$/,
      ),
    ]);
    expect(map({ ...row, Site: "http://acme.com" })).toMatchObject({ values: [{ source_url: "http://acme.com" }] });
  });

  test("a row is refused as a whole: its good records stay out, too", () => {
    const map = mapper({
      values: { ...ROUND_VALUES, city: VALUES.city },
      records: [COMPANY, { type: "round", fields: ROUND }],
    });
    expect(map({ Name: "Acme", City: "Pune", Date: "" }).kind).toBe("refused");
    expect(map({ Name: "Acme", City: "Pune", Date: "2020-01-02" })).toMatchObject({
      values: [{ type: "company" }, { type: "round" }],
    });
  });
});

describe("templates", () => {
  test("{n} numbers equal ids; a null in a text makes it null; a list gives a list", () => {
    const expected = (id: string) =>
      records([
        {
          type: "round",
          id,
          company_id: "co-acme",
          announced_date: "2020-01-02",
          amount_usd: null,
          source_url: null,
          investor_ids: ["inv-blue-fund", "inv-red-co"],
        },
      ]);
    const map = mapper({
      values: { ...ROUND_VALUES, ...VALUES, names: { column: "Investors", as: "list", leave_out: ["others?"] } },
      records: [
        {
          type: "round",
          fields: {
            ...ROUND,
            id: "r-{name:key}-{n}",
            source_url: "https://example.com/{city}",
            investor_ids: "inv-{names:key}",
          },
        },
      ],
    });
    const row = {
      Name: "Acme",
      Date: "2020-01-02",
      City: "",
      Investors: "Blue Fund, Others, blue fund, !!,  Red & Co",
    };
    expect(map(row)).toEqual(expected("r-acme-1"));
    expect(map(row)).toEqual(expected("r-acme-2"));
  });

  test("a name without a letter or digit has no key, so its row is refused", () => {
    const map = mapper({ values: VALUES, records: [COMPANY] });
    for (const Name of ["????", "!!!"])
      expect(problems(map({ Name, City: "" }))).toEqual([
        `company.id: column 'Name' has '${Name}', which has no letter or digit`,
      ]);
  });

  test("for_each makes a record of each item; a row without items makes none", () => {
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
    expect(map({ Investors: "" })).toEqual({ kind: "skipped" });
  });

  test("a text in a field of lists is a list of one; several templates are one list", () => {
    const map = mapper({
      values: { ...VALUES, other: { column: "Other" } },
      records: [
        { ...COMPANY, fields: { ...COMPANY.fields, aliases: "{other}", tech_stack: ["{city}", "{other}", "Go"] } },
      ],
    });
    expect(map({ Name: "Acme", City: "Node.js", Other: "Acme Corp" })).toMatchObject({
      values: [{ aliases: ["Acme Corp"], tech_stack: ["Node.js", "Acme Corp", "Go"] }],
    });
    expect(map({ Name: "Beta", City: "", Other: "" })).toMatchObject({
      values: [{ aliases: null, tech_stack: ["Go"] }],
    });
  });

  test("investors of several columns, the lead among them", () => {
    const map = mapper({
      values: {
        ...ROUND_VALUES,
        leads: { column: "Lead", as: "list" },
        others: { column: "Others", as: "list" },
        all: { column: ["Lead", "Others"], as: "list" },
      },
      records: [
        { type: "investor", for_each: "all", merge: true, fields: { id: "inv-{item:key}", name: "{item}" } },
        {
          type: "round",
          fields: {
            ...ROUND,
            investors: [
              { for_each: "leads", investor_id: "inv-{item:key}", is_lead: true },
              { for_each: "others", investor_id: "inv-{item:key}" },
            ],
          },
        },
      ],
    });
    expect(map({ Name: "Acme", Date: "2020-01-02", Lead: "Blue", Others: "Red, blue, Green" })).toMatchObject({
      values: [
        { id: "inv-blue" },
        { id: "inv-red" },
        { id: "inv-green" },
        {
          investors: [
            { investor_id: "inv-blue", is_lead: true },
            { investor_id: "inv-red" },
            { investor_id: "inv-green" },
          ],
        },
      ],
    });
  });

  test("a record with the operation 'merge' carries only what its row says", () => {
    const map = mapper({ values: VALUES, records: [{ ...COMPANY, op: "merge" }] });
    const row = map({ Name: "Acme", City: "" });
    expect(row).toMatchObject({ values: [{ type: "company", op: "merge", id: "co-acme", name: "Acme" }] });
    expect(row.kind === "records" && Object.keys(row.values[0]!)).not.toContain("city");
  });
});

test("rows that fit 'skip', and exactly equal ones when the mapping says so, are left out", () => {
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

test("a row without any text is left out", () => {
  const map = mapper({ values: VALUES, records: [COMPANY] });
  expect(map({ Name: " ", City: "" })).toEqual({ kind: "skipped" });
  expect(map({ Name: "", City: "x" }).kind).toBe("refused");
});

test("a record is made only where its 'when' holds", () => {
  const map = mapper({
    values: VALUES,
    records: [
      { ...COMPANY, when: { column: "Kind", not: "fund" } },
      { type: "investor", when: { column: "Kind", fits: "fund" }, fields: { id: "inv-{name:key}", name: "{name}" } },
    ],
  });
  expect(map({ Name: "A", City: "", Kind: "fund" })).toMatchObject({ values: [{ type: "investor" }] });
  expect(map({ Name: "A", City: "", Kind: "start-up" })).toMatchObject({ values: [{ type: "company" }] });
});

describe("a company that is named like a total", () => {
  const rule = { ...COMPANY, fields: { ...COMPANY.fields, country: "{country}" } };
  const named = () => mapper({ values: { ...VALUES, country: { column: "Country" } }, records: [rule] });
  const bare = { ...COMPANY, fields: { id: "co-{name:key}", name: "{name}" } };

  test.each(["Total", "Grand total:", "Summe", "合计"])("'%s' is refused where nothing describes it", (name) => {
    expect(problems(named()({ Name: name, City: "", Country: "" }))).toEqual([
      `company.name: '${name}' without country, city sums up other rows: leave it out with "skip" in the mapping, or, if it is a company, fill one of them in`,
    ]);
  });

  test("is a company where something describes it, also in an earlier row", () => {
    const map = named();
    expect(map({ Name: "Total", City: "Paris", Country: "" })).toMatchObject({ kind: "records" });
    expect(map({ Name: "Total", City: "", Country: "" })).toMatchObject({ kind: "records" });
  });

  test("is refused with its round, which has a sum and a year", () => {
    const values = { ...ROUND_VALUES, investors: { column: "Investors", as: "list" } };
    const round = { type: "round", fields: { ...ROUND, investor_ids: "{investors:key}" } };
    const map = mapper({ values, records: [bare, round] });
    expect(problems(map({ Name: "Total", Date: "2020-01-02", Investors: "" }))).toHaveLength(1);
    expect(map({ Name: "Total", Date: "2020-01-02", Investors: "Blue" })).toMatchObject({ kind: "records" });
  });

  test("is a company where nothing could describe it, unless companies have no such name", () => {
    const map = mapper({ values: VALUES, records: [bare] });
    expect(map({ Name: "Total", City: "" })).toMatchObject({ kind: "records" });
    expect(problems(map({ Name: "Subtotal", City: "" }))).toEqual([
      `company.name: 'Subtotal' sums up other rows: leave it out with "skip" in the mapping`,
    ]);
  });
});
