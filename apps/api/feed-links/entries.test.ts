import type { FundingRow } from "@tranche/read-models/documents/funding";
import type { SignalsRow } from "@tranche/read-models/documents/companies";
import { expect, test } from "vitest";
import { type ChangedRow, feedPage } from "./entries.ts";

const company = { id: "c/1", name: "Acme", slug: "acme", country: "US", city: "Austin", category: null };
const ROUND: FundingRow = {
  id: "r1",
  announced_date: "2013-05-01",
  deal_type: "series_a",
  amount_usd: 12_500_000,
  company,
  investors: [
    { id: "i1", name: "First", slug: "first", is_lead: true },
    { id: "i2", name: "Second", slug: "second", is_lead: false },
  ],
  investor_count: 2,
  source_url: "https://example.com/a b",
  updated_at: "2013-05-01T00:00:00Z",
};
const SEARCH = { id: "s1", name: "Seed rounds", list: "funding", changed_at: "2026-01-01T00:00:00.000Z" } as const;
const TICKET = Date.UTC(2026, 1, 1) * 1000;
const change = (rest: Partial<ChangedRow>): ChangedRow => ({
  id: "r1",
  changed: TICKET + 999,
  created: TICKET,
  row: ROUND,
  ...rest,
});

test("a round is an entry with a title, a text, its times and where it was reported", () => {
  expect(feedPage(SEARCH, [change({})], "https://example.org/dashboard")).toEqual({
    id: expect.stringMatching(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
    title: "Seed rounds",
    updated: "2026-02-01T00:00:00.000Z",
    entries: [
      {
        id: expect.stringMatching(/^urn:uuid:/),
        title: "Acme: series a, $12,500,000",
        text: "Announced 2013-05-01\nAmount: $12,500,000\nAustin · US\nInvestors: First (lead), Second",
        published: "2026-02-01T00:00:00.000Z",
        updated: "2026-02-01T00:00:00.000Z",
        url: "https://example.org/dashboard/companies/c%2F1",
        source: "https://example.com/a%20b",
        row: ROUND,
      },
    ],
  });
});

test("an entry keeps its id when its document changes, and no other document has it", () => {
  const idOf = (rest: Partial<ChangedRow>, list: "funding" | "signals" = "funding") =>
    feedPage({ ...SEARCH, list }, [change(rest)], undefined).entries[0]!.id;
  expect(idOf({ changed: TICKET * 1.1, row: { ...ROUND, deal_type: "seed" } })).toBe(idOf({}));
  expect(new Set([idOf({}), idOf({ id: "r2" }), idOf({}, "signals")]).size).toBe(3);
});

test.each(["javascript:alert(1)", "data:text/html,x", "not an address", "//example.com", null])(
  "%s is not an address of a report",
  (source_url) => {
    const [entry] = feedPage(SEARCH, [change({ row: { ...ROUND, source_url } })], undefined).entries;
    expect(entry).not.toHaveProperty("source");
    expect(entry).not.toHaveProperty("url");
  },
);

test("a company is an entry with its score and its signals; when it was first listed may not be known", () => {
  const row: SignalsRow = {
    company,
    signal_score: 87,
    signals: ["just_raised", "hiring"],
    signal_details: [],
    tech_stack: [],
    latest_funding: null,
    total_raised_usd: null,
    round_count: 0,
    updated_at: "2026-01-01T00:00:00Z",
  };
  const [entry] = feedPage({ ...SEARCH, list: "signals" }, [change({ row, created: 0 })], undefined).entries;
  expect(entry).toMatchObject({
    title: "Acme: score 87, just raised, hiring",
    text: "Signals: just raised, hiring\nAustin · US\nRounds: 0",
  });
  expect(entry).not.toHaveProperty("published");
});

test("a page without entries changed when its search did", () => {
  expect(feedPage(SEARCH, [], undefined)).toMatchObject({ updated: SEARCH.changed_at, entries: [] });
});
