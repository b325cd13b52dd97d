import { expect, test } from "vitest";
import type { FundingRow } from "../explore/api-rows.ts";
import { reasonOf } from "./reasons.ts";

const ROUND: FundingRow = {
  id: "r1",
  announced_date: "2013-09-10",
  deal_type: "series_c",
  amount_usd: 62_000_000,
  company: { id: "c", name: "C", slug: "c", country: null, city: null, category: null },
  investors: [
    { id: "i1", name: "Amber", slug: "amber", is_lead: true },
    { id: "i2", name: "Beryl", slug: "beryl", is_lead: false },
  ],
  investor_count: 2,
  source_url: null,
  updated_at: "2013-09-10T00:00:00Z",
};
const textOf = (evidence: Record<string, unknown> | null, rounds = [ROUND]) =>
  reasonOf(evidence, "2013-09-10", rounds).text;

test.each([
  [{ round_id: "r1" }, "Series C, 10 Sept 2013"],
  [{ round_id: "r1", amount_usd: 62_000_000 }, "Series C, 10 Sept 2013, $62M"],
  [{ round_id: "r1", from: "series_b", to: "series_c" }, "Series C, 10 Sept 2013, after Series B"],
  [{ round_id: "r1", previous_round_id: "r0", days: 256 }, "Series C, 10 Sept 2013, 256 days after the round before"],
  [
    { round_id: "r1", milestone_usd: 100_000_000, total_raised_usd: 171_714_055 },
    "Series C, 10 Sept 2013, past $100M with $172M in all",
  ],
  [{ round_id: "r1", deal_type: "venture_debt" }, "Series C, 10 Sept 2013"],
  [{ round_id: "r1", investor_ids: ["i1"] }, "Series C, 10 Sept 2013, led by Amber"],
  [{ round_id: "r1", investor_ids: ["i1", "gone"] }, "Series C, 10 Sept 2013, led by 2 investors new to it"],
  [{ technologies: ["Python", "React"] }, "Works with Python, React"],
  [{ from: 13, to: 25, days: 163 }, "From 13 to 25 people within 163 days"],
  [{ signal_id: "s", evidence_url: null }, "Reported by a source"],
  [{ signal_id: "s", evidence_url: "javascript:alert(1)" }, "Reported by a source"],
  [{ signal_id: "s", evidence_url: "https://example.com/news?x=1" }, "Reported by example.com"],
  [{ something_new_usd: 5 }, "something new: 5"],
  [null, "From a record of this company"],
] as const)("%j is told as '%s'", (evidence, text) => expect(textOf(evidence)).toBe(text));

test("a round that is on another page is told by its day, without a link", () => {
  expect(reasonOf({ round_id: "r1" }, "2013-09-10", [])).toEqual({ text: "A round of 10 Sept 2013" });
  expect(reasonOf({ round_id: "r1" }, "2013-09-10", [ROUND]).round).toBe("r1");
});

test("a source is linked", () => {
  const evidence = { signal_id: "s", evidence_url: "https://example.com/news" };
  expect(reasonOf(evidence, "2013-09-10", []).source).toBe("https://example.com/news");
});
