import { describe, expect, test } from "vitest";
import type { SignalInstance } from "@tranche/shared/domain/signals/instance";
import { isLive } from "@tranche/shared/domain/signals/instance";
import { dayOf, isoDay } from "@tranche/shared/domain/time/day";
import { deriveInstances } from "./derive.ts";
import type { CompanyHistory, HistoryRound } from "./history.ts";

const today = dayOf("2025-06-01");
const ago = (days: number): string => isoDay(today - days);

let count = 0;
function round(daysAgo: number, deal_type = "other", more: Partial<HistoryRound> = {}): HistoryRound {
  return { id: `r${++count}`, announced_date: ago(daysAgo), deal_type, amount_usd: null, investors: [], ...more };
}
function company(more: Partial<CompanyHistory>): CompanyHistory {
  return { rounds: [], snapshots: [], ingested: [], stack: null, ...more };
}
function live(history: Partial<CompanyHistory>, day = today): SignalInstance[] {
  return deriveInstances(company(history), day).filter((instance) => isLive(instance, day));
}
const keys = (...rounds: HistoryRound[]): string[] =>
  live({ rounds })
    .map((x) => x.key)
    .sort();
const the = (key: string, history: Partial<CompanyHistory>): SignalInstance | undefined =>
  live(history).find((instance) => instance.key === key);
const day = (id: string, amount_usd: number | null, type: string): HistoryRound => round(5, type, { id, amount_usd });
const newest = (...rounds: HistoryRound[]): unknown => the("just_raised", { rounds })?.evidence;
const by = (...investors: [id: string, is_lead: boolean][]): Partial<HistoryRound> => ({
  investors: investors.map(([id, is_lead]) => ({ id, is_lead })),
});
const raised = (...amounts: (number | null)[]): unknown =>
  the("funding_milestone", { rounds: amounts.map((amount_usd, i) => round(150 - i, "seed", { amount_usd })) })
    ?.evidence?.["milestone_usd"];

describe("rounds", () => {
  test("just raised for 89 days", () => {
    expect(keys(round(89))).toContain("just_raised");
    expect(keys(round(90))).not.toContain("just_raised");
  });

  test("a single round is the first one", () => {
    expect(keys(round(1))).toContain("first_round");
    expect(keys(round(1), round(2))).not.toContain("first_round");
    expect(keys(round(1), round(-1))).toContain("first_round");
  });

  test("future rounds do not count yet", () => {
    expect(keys(round(-1))).toEqual([]);
    expect(keys(round(0))).toContain("just_raised");
  });

  test("large from 50 million on", () => {
    expect(keys(round(1, "other", { amount_usd: 50_000_000 }))).toContain("large_round");
    expect(keys(round(1, "other", { amount_usd: 49_999_999.99 }))).not.toContain("large_round");
  });

  test("debt and grants", () => {
    for (const type of ["debt_financing", "venture_debt", "post_ipo_debt", "grant"]) {
      expect(keys(round(1, type))).toContain("debt_or_grant_raised");
    }
    expect(keys(round(1, "seed"), round(2, "grant"))).not.toContain("debt_or_grant_raised");
  });

  test("of several on one day the largest is the newest, undisclosed lowest, then by id", () => {
    expect(newest(day("b", 0, "seed"), day("c", null, "grant"))).toEqual({ round_id: "b" });
    expect(newest(day("a", 5, "seed"), day("b", 2, "grant"))).toEqual({ round_id: "a" });
    expect(newest(day("b", 2, "seed"), day("a", 2, "grant"))).toEqual({ round_id: "b" });
    // U+FF5E comes before U+1F600 by code point, after it by UTF-16 unit.
    expect(newest(day("\u{1F600}", 2, "seed"), day("\uFF5E", 2, "grant"))).toEqual({ round_id: "\u{1F600}" });
  });

  test("a round that is gone takes its signals with it", () => {
    const [a, b] = [round(400, "seed"), round(10, "series_a")];
    expect(keys(a, b)).toContain("stage_advanced");
    expect(keys(a)).toEqual([]);
  });
});

describe("stage_advanced", () => {
  test("compares with the last round that has a stage", () => {
    expect(keys(round(900, "seed"), round(800, "grant"), round(10, "series_a"))).toContain("stage_advanced");
    expect(keys(round(900, "seed"), round(800, "series_b"), round(10, "series_a"))).not.toContain("stage_advanced");
  });
  test("needs a newest round with a stage", () => {
    expect(keys(round(900, "seed"), round(10, "series_unknown"))).not.toContain("stage_advanced");
    expect(keys(round(10, "series_a"))).not.toContain("stage_advanced");
  });
  test("needs a later stage, not the same", () => {
    expect(keys(round(900, "angel"), round(10, "seed"))).not.toContain("stage_advanced");
    expect(keys(round(900, "series_c"), round(10, "series_c_plus"))).not.toContain("stage_advanced");
    expect(keys(round(900, "series_j"), round(10, "private_equity"))).toContain("stage_advanced");
    expect(keys(round(900, "pre_seed"), round(10, "seed"))).toContain("stage_advanced");
  });
  test("says from what to what", () => {
    const rounds = [round(900, "seed"), round(10, "series_a", { id: "a" })];
    expect(the("stage_advanced", { rounds })?.evidence).toEqual({ round_id: "a", from: "seed", to: "series_a" });
  });
});

describe("fast_follow_on", () => {
  test.each([
    [0, false],
    [1, true],
    [364, true],
    [365, true],
    [366, false],
  ])("%i days after the equity round before: %s", (days, expected) => {
    expect(keys(round(10 + days, "seed"), round(10, "bridge")).includes("fast_follow_on")).toBe(expected);
  });
  test("leaves debt between two equity rounds out", () => {
    expect(keys(round(100, "seed"), round(50, "grant"), round(10, "series_a"))).toContain("fast_follow_on");
  });
  test("needs equity as the newest round", () => {
    expect(keys(round(100, "seed"), round(50, "series_a"), round(10, "grant"))).not.toContain("fast_follow_on");
  });
});

describe("runway_window", () => {
  test.each([
    [449, false],
    [450, true],
    [730, true],
    [731, false],
  ])("%i days after the newest equity round: %s", (days, expected) => {
    expect(keys(round(days, "seed")).includes("runway_window")).toBe(expected);
  });
  test("goes by equity, whatever debt came after", () => {
    const rounds = [round(500, "seed", { id: "s" }), round(100, "venture_debt")];
    expect(the("runway_window", { rounds })).toMatchObject({
      detected_at: ago(50),
      expires_at: ago(500 - 731),
      evidence: { round_id: "s" },
    });
    expect(keys(round(500, "grant"))).toEqual([]);
  });
  test("ends with the next equity round", () => {
    expect(keys(round(500, "seed"), round(1, "series_a"))).not.toContain("runway_window");
  });
});

describe("new_lead_investor", () => {
  test("a lead of the newest round who is in none before", () => {
    const rounds = [round(500, "seed", by(["a", true])), round(10, "seed", by(["b", true], ["c", false], ["a", true]))];
    expect(the("new_lead_investor", { rounds })?.evidence).toMatchObject({ investor_ids: ["b"] });
  });
  test("not one who was in a round before without leading it", () => {
    expect(keys(round(500, "seed", by(["a", false])), round(10, "seed", by(["a", true])))).not.toContain(
      "new_lead_investor",
    );
  });
  test("not a new investor who does not lead, and not in the first round", () => {
    expect(keys(round(500, "seed"), round(10, "seed", by(["a", false])))).not.toContain("new_lead_investor");
    expect(keys(round(10, "seed", by(["a", true])))).not.toContain("new_lead_investor");
  });
});

describe("funding_milestone", () => {
  test("exactly at the mark", () => {
    expect(raised(4_000_000, 6_000_000)).toBe(10_000_000);
    expect(raised(4_000_000, 5_999_999.99)).toBeUndefined();
    expect(raised(9_999_999.9, 0.1)).toBe(10_000_000);
  });
  test("not when the mark was reached before", () => {
    expect(raised(10_000_000, 1)).toBeUndefined();
    expect(raised(10_000_000, null)).toBeUndefined();
  });
  test("the highest of several", () => expect(raised(1, 600_000_000)).toBe(500_000_000));
  test("sums to the cent", () => {
    expect(raised(...Array.from({ length: 99 }, () => 101_010.1), 10_000_000 - 99 * 101_010.1)).toBe(10_000_000);
  });
});
