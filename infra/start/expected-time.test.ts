import { describe, expect, test } from "vitest";
import { expectedEnd, leftText, planOf } from "./expected-time.ts";

const plan = planOf({ pages: false, engines: "missing", sample: false });
const whole = plan.reduce((sum, { seconds }) => sum + seconds, 0);
const later = planOf({ pages: true, engines: "downloaded", sample: true });

describe("the time that a start still takes", () => {
  test("is all of it at the beginning, and much less when everything is there", () => {
    const begin = { step: "pages", began: 0, stepBegan: 0 } as const;
    expect(expectedEnd(plan, begin, 0)).toEqual({ secondsLeft: whole, part: 0 });
    expect(expectedEnd(later, begin, 0).secondsLeft).toBeLessThan(whole / 4);
  });
  test("follows the pace of the machine", () => {
    const after = plan[0]!.seconds * 2000;
    const { secondsLeft } = expectedEnd(plan, { step: "engines", began: 0, stepBegan: after }, after);
    expect(secondsLeft).toBeCloseTo(2 * (whole - plan[0]!.seconds));
  });
  test("follows the step itself where it says how far it is", () => {
    const place = { step: "sample", began: 0, stepBegan: 70_000, done: { part: 0.5, at: 100_000 } } as const;
    const { secondsLeft, part } = expectedEnd(plan, place, 100_000);
    expect(secondsLeft).toBeGreaterThan(30);
    expect(secondsLeft).toBeLessThan(40);
    expect(part).toBeGreaterThan(0.7);
    // Until it says more, the time that is left passes.
    expect(expectedEnd(plan, place, 110_000).secondsLeft).toBeCloseTo(secondsLeft - 10);
  });
  test("never ends before the start does, however long a step takes", () => {
    const place = { step: "engines", began: 0, stepBegan: 0 } as const;
    for (const now of [60_000, 600_000, 6_000_000]) {
      const { secondsLeft, part } = expectedEnd(plan, place, now);
      expect(secondsLeft).toBeGreaterThan(0);
      expect(part).toBeLessThan(1);
    }
  });
});

test.each([
  [0, "a moment left"],
  [38, "about 40 s left"],
  [60, "about 1 min left"],
  [142, "about 2 min 25 s left"],
])("%s seconds: %s", (seconds, text) => {
  expect(leftText(seconds)).toBe(text);
});
