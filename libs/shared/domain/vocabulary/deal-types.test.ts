import { describe, expect, test } from "vitest";
import { DEAL_TYPES, dealTypes } from "./deal-types.ts";

describe("deal types", () => {
  const { find } = dealTypes();

  test.each([
    ["Series A", "series_a"],
    ["series-c+", "series_c_plus"],
    ["Series B+", "series_b"],
    ["Series A1", "series_a"],
    ["series_d_2", "series_d"],
    ["Seed Round", "seed"],
    ["Venture round", "series_unknown"],
    ["Venture - Series Unknown", "series_unknown"],
    ["Funding Round", "series_unknown"],
    ["Growth", "growth_equity"],
    ["Growth Round", "growth_equity"],
    ["Seed fund", "seed"],
    ["Debt Funding", "debt_financing"],
    ["Seed / Angel", "seed"],
    ["Pre-Series A", "seed"],
    ["post_ipo", "post_ipo_equity"],
    ["ICO", "initial_coin_offering"],
    ["", "undisclosed"],
    ["Unattributed", "undisclosed"],
  ])("%s is %s", (label, type) => {
    expect(find(label)).toBe(type);
  });

  test.each(["twelvefold auction", "funding", "series_q", "constructor", "__proto__"])("%s is none", (label) => {
    expect(find(label)).toBeUndefined();
  });

  test("every word maps to itself", () => {
    for (const word of DEAL_TYPES) expect(find(word)).toBe(word);
  });

  test("an operator's file adds words and aliases, the built-in ones stay", () => {
    const added = dealTypes({ types: ["royalty_financing"], aliases: { royalties: "royalty_financing" } });
    expect(added.find("Royalty Financing")).toBe("royalty_financing");
    expect(added.find("Royalties")).toBe("royalty_financing");
    expect(added.words).toEqual([...DEAL_TYPES, "royalty_financing"]);
  });
});
