import { rowText } from "@tranche/read-models/documents/row-text";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { expect, test } from "vitest";
import { createRows } from "../responses/rows.ts";
import { FUNDING_LIST, SIGNALS_LIST } from "../routes/lists.ts";
import { fieldsOf, withFields } from "./fields.ts";
import { csv } from "./table.ts";

const rows = createRows(dealTypes());
const round = {
  id: "r1",
  announced_date: "2025-03-14",
  deal_type: "seed",
  amount_usd: null,
  company: { id: "c1", name: "Acme", slug: "acme", country: "DE", city: null, category: null },
  investors: [
    { id: "i1", name: "A", slug: "a", is_lead: true },
    { id: "i2", name: "B, C", slug: "b", is_lead: false },
  ],
  investor_count: 2,
  source_url: null,
  updated_at: "2025-03-15T08:00:00Z",
};
const document = { row: rowText(round) } as never;
const shown = (...fields: string[]) => {
  const { row, columns, flat } = withFields(FUNDING_LIST, fields);
  return {
    json: JSON.parse(row(document)) as unknown,
    csv: csv(columns, [flat(document)])
      .trimEnd()
      .split("\r\n"),
  };
};

test("the fields of a list are the members of its rows and its columns", () => {
  const fields = fieldsOf(rows.signalsRow, SIGNALS_LIST.columns);
  expect(fields).toEqual([...new Set(fields)]);
  for (const field of ["company", "company.name", "signal_details.key", "latest_funding.investors", "top_signal"])
    expect(fields).toContain(field);
  expect(fields).not.toContain("signals.key");
});

test("rows have the chosen members, nested ones inside their object, in the order of the choice", () => {
  const { json, csv: table } = shown("amount_usd", "company.name", "id", "company.country");
  expect(JSON.stringify(json)).toBe('{"amount_usd":null,"company":{"name":"Acme","country":"DE"},"id":"r1"}');
  expect(table).toEqual(["amount_usd,company.name,id,company.country", ",Acme,r1,DE"]);
});

test("members of lists are in each item, and joined in a table", () => {
  const { json, csv: table } = shown("investors.name", "investors.is_lead");
  expect(json).toEqual({
    investors: [
      { name: "A", is_lead: true },
      { name: "B, C", is_lead: false },
    ],
  });
  expect(table).toEqual(["investors.name,investors.is_lead", '"A; B, C",true; false']);
});

test("an object with all its members includes each of them", () => {
  expect(shown("company", "company.name").json).toEqual({ company: round.company });
  expect(shown("company.name", "company").json).toEqual({ company: round.company });
  expect(shown("company").csv[1]).toBe(`"${JSON.stringify(round.company).replaceAll('"', '""')}"`);
});

test("columns may be chosen as well: a name that is both is the member in JSON and the column in a table", () => {
  const { json, csv: table } = shown("company_name", "investors", "lead_investors");
  expect(json).toEqual({ company_name: "Acme", investors: round.investors, lead_investors: "A" });
  expect(table).toEqual(["company_name,investors,lead_investors", 'Acme,"A; B, C",A']);
});

test("members of what is missing are null", () => {
  const row = { company: round.company, signals: [], latest_funding: null };
  const { row: json, flat } = withFields(SIGNALS_LIST, ["latest_funding.amount_usd", "latest_funding.investors"]);
  const bare = { row: rowText(row), lead_investors: [] } as never;
  expect(JSON.parse(json(bare))).toEqual({ latest_funding: null });
  expect(flat(bare)).toEqual({ "latest_funding.amount_usd": null, "latest_funding.investors": null });
});

test("without a choice the stored text is passed on", () => {
  expect(withFields(FUNDING_LIST, undefined)).toBe(FUNDING_LIST);
});
