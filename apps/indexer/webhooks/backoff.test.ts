import { expect, test } from "vitest";
import { nextAttempt, GIVE_UP_MS, type Next } from "./backoff.ts";

const failed = { status: 500, reason: "It answered 500." };
const next = (failures: number, sinceMs = 0, random = 0.5): Next => nextAttempt(failed, { failures, sinceMs, random });

test("pauses grow from seconds to hours, give or take a tenth", () => {
  const pauses = Array.from({ length: 12 }, (_, n) => (next(n + 1) as { againMs: number }).againMs);
  expect(pauses[0]).toBe(5000);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses.at(-1)).toBe(6 * 3_600_000);
  expect([next(1, 0, 0), next(1, 0, 1)]).toEqual([{ againMs: 4500 }, { againMs: 5500 }]);
});

test("after three days a webhook is paused, and not before a last attempt then", () => {
  expect(next(20, GIVE_UP_MS - 60_000)).toEqual({ againMs: 60_000 });
  expect(next(20, GIVE_UP_MS)).toEqual({
    pause: "Deliveries have failed for 3 days. The last reason: It answered 500.",
  });
});

test("a receiver that is gone for good is not asked again", () => {
  const gone = { status: 410, reason: null };
  expect(nextAttempt(gone, { failures: 1, sinceMs: 0, random: 0 })).toHaveProperty("pause");
});
