import { describe, expect, test } from "vitest";
import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import { abovePlanLimit, pageOf } from "./page.ts";
import { handlingPreference } from "./preference.ts";

const growth = DEFAULT_PLANS.growth!;

describe("a page", () => {
  test("is the first ten rows unless something else is asked for", () => {
    expect(pageOf({}, growth)).toEqual({ page: { limit: 10, offset: 0 }, warnings: [] });
    expect(pageOf({ limit: 20, offset: 40 }, growth)).toEqual({ page: { limit: 20, offset: 40 }, warnings: [] });
  });

  test("is no larger than the plan allows, and says so", () => {
    const { page, warnings } = pageOf({ limit: 21, offset: 3 }, growth);
    expect(page).toEqual({ limit: 20, offset: 3 });
    expect(warnings).toMatchObject([
      { code: "limit_capped", parameter: "limit", message: expect.stringContaining("Growth") as string },
    ]);
  });

  test("is refused instead when the caller prefers that", () => {
    expect(abovePlanLimit({ limit: 21 }, growth)).toMatchObject([
      { parameter: "limit", code: "above_plan_limit", value: 21 },
    ]);
    expect(abovePlanLimit({ limit: 20 }, growth)).toEqual([]);
    expect(abovePlanLimit({}, { ...growth, max_limit: 5 })).toEqual([]);
  });
});

describe("the Prefer header", () => {
  test.each([
    ["handling=strict", "strict"],
    ["Handling=Strict", "strict"],
    ['handling="strict"', "strict"],
    ["respond-async, wait=10, handling=strict", "strict"],
    ["handling=strict; foo=1", "strict"],
    ["handling=lenient", "lenient"],
    ["handling=other", undefined],
    ["handling", undefined],
    ["return=minimal", undefined],
    ["((", undefined],
    ["", undefined],
  ])("%s means %s", (header, meaning) => expect(handlingPreference(header)).toBe(meaning));
});
