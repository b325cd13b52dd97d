import { describe, expect, test } from "vitest";
import { rowText } from "@tranche/read-models/documents/row-text";
import type { CompanyDocument, SignalsRow } from "@tranche/read-models/documents/companies";
import { dayOf } from "@tranche/shared/domain/time/day";
import { presentCompany } from "./company.ts";
import { FUNDING_TABLE } from "./funding.ts";
import { pagination } from "./pagination.ts";
import { SIGNALS_TABLE } from "./signals.ts";
import { dealTypeName } from "./vocabulary.ts";

const company = { id: "c1", name: "Acme", slug: "acme", country: null, city: null, category: null };
const bareRow: SignalsRow = {
  company,
  signal_score: 0,
  signals: [],
  signal_details: [],
  tech_stack: [],
  latest_funding: null,
  total_raised_usd: null,
  round_count: 0,
  updated_at: "2025-01-01T00:00:00Z",
};
const bare: Pick<CompanyDocument, "row" | "lead_investors" | "instances" | "profile"> = {
  lead_investors: [],
  profile: { aliases: [], domain: null, headcount: null, founded_year: null, category: null },
  instances: [],
  row: rowText(bareRow),
};

describe("a flat row", () => {
  test("of a company has all columns in order, null where there is nothing", () => {
    const flat = SIGNALS_TABLE.flat({ row: bareRow, lead_investors: [] });
    expect(Object.keys(flat)).toEqual(SIGNALS_TABLE.columns);
    expect(SIGNALS_TABLE.schema.parse(flat)).toEqual(flat);
    expect(flat).toMatchObject({
      signals: null,
      top_signal: null,
      latest_deal_type: null,
      tech_stack: null,
      signal_count: 0,
    });
  });

  test("of a company names its strongest signal and that one's date", () => {
    const signal_details = [
      { key: "hiring", detected_at: "2025-01-01", latest_detected_at: "2025-01-01", expires_at: null, strength: 1 },
      { key: "award", detected_at: "2025-02-02", latest_detected_at: "2025-03-02", expires_at: null, strength: 1 },
    ];
    const row = { ...bareRow, signals: ["award", "hiring"], signal_details, tech_stack: ["Go", "C++"] };
    const flat = SIGNALS_TABLE.flat({ row, lead_investors: ["A", "B"] });
    expect(SIGNALS_TABLE.schema.parse(flat)).toEqual(flat);
    expect(flat).toMatchObject({
      signals: "award; hiring",
      signal_count: 2,
      top_signal: "award",
      top_signal_detected_at: "2025-02-02",
      tech_stack: "Go; C++",
      latest_lead_investors: "A; B",
    });
  });

  test("of a round has all columns in order, and its leads apart", () => {
    const investors = [
      { id: "i1", name: "Lead", slug: "lead", is_lead: true },
      { id: "i2", name: "Other", slug: "other", is_lead: false },
    ];
    const row = {
      id: "r1",
      announced_date: "2025-01-01",
      deal_type: "seed",
      amount_usd: null,
      company,
      investors,
      investor_count: 2,
      source_url: null,
      updated_at: "2025-01-01T00:00:00Z",
    };
    const flat = FUNDING_TABLE.flat(row);
    expect(Object.keys(flat)).toEqual(FUNDING_TABLE.columns);
    expect(FUNDING_TABLE.schema.parse(flat)).toEqual(flat);
    expect(flat).toMatchObject({ lead_investors: "Lead", investors: "Lead; Other", amount_usd: null });
  });
});

test("a company's score and its shares are those of the day, not of when it was stored", () => {
  const instances = [
    {
      key: "just_raised",
      detected_at: "2025-03-14",
      expires_at: "2025-06-12",
      strength: 1,
      source: "derived",
      evidence: null,
    },
    {
      key: "modern_stack",
      detected_at: "2025-01-10",
      expires_at: null,
      strength: 1,
      source: "derived",
      evidence: null,
    },
  ] as const;
  const on = (day: string) =>
    presentCompany({ ...bare, instances: [...instances] } as unknown as CompanyDocument, [], dayOf(day));
  expect(on("2025-03-24")).toMatchObject({
    signal_score: 58,
    signals: [{ key: "just_raised", label: "Just raised" }, { key: "modern_stack" }],
  });
  const points = on("2025-03-24").signals.map((signal) => signal.score.points);
  expect(points.reduce((a, b) => a + b, 0)).toBeCloseTo(58);
  expect(on("2025-06-12").signals.map((signal) => signal.key)).toEqual(["modern_stack"]);
});

test("there is more exactly while rows follow", () => {
  const [shown, after] = [
    { count: 21, limit: 10 },
    { value: 5, id: "a" },
  ];
  expect(pagination(21, { limit: 10, offset: 10 }, "x")).toEqual({
    ...shown,
    offset: 10,
    has_more: true,
    next_cursor: "x",
  });
  expect(pagination(21, { limit: 10, offset: 0, after }, undefined)).toEqual({
    ...shown,
    offset: null,
    has_more: false,
    next_cursor: null,
  });
});

test.each([
  ["series_a", "Series A"],
  ["series_c_plus", "Series C+"],
  ["series_unknown", "Series unknown"],
  ["pre_seed", "Pre-seed"],
  ["post_ipo_debt", "Post-IPO debt"],
])("the deal type %s is called %s", (word, name) => expect(dealTypeName(word)).toBe(name));
