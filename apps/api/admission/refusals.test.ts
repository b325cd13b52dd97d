import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import { expect, test } from "vitest";
import type { LimitStatus } from "./limit-status.ts";
import { costsTooMuch, quotaExceeded, rateLimited } from "./refusals.ts";

const AT = Date.parse("2025-06-15T12:00:00Z");
const JULY = Date.parse("2025-07-01T00:00:00Z");
const growth = DEFAULT_PLANS["growth"]!;
const limits: LimitStatus = {
  at: AT,
  burst: { limit: 300, used: 300, resetsAt: AT + 4500 },
  month: { limit: 100_000, used: 100_000, resetsAt: JULY },
  own: { limit: 10_000, used: 0, resetsAt: JULY },
};
const until = AT + 3_600_000;
const lowered: LimitStatus = {
  ...limits,
  burst: { ...limits.burst, limit: 5 },
  month: { ...limits.month, limit: 50, used: 49 },
  throttle: { burst: 5, quota: 50, until },
};

test("a full burst names the plan, or the operator who allows less", () => {
  expect(rateLimited(growth, limits)).toMatchObject({
    message: "The plan Growth allows 300 requests in 60 seconds. Try again in 5 s.",
    headers: { "Retry-After": "5" },
  });
  expect(rateLimited(growth, lowered).message).toBe(
    "The operator of this service allows this account 5 requests in 60 seconds until 2025-06-15T13:00:00.000Z, fewer than the 300 of its plan Growth. Try again in 5 s.",
  );
});

test("a used-up month does, too, and opens when the throttle ends if the plan has requests left then", () => {
  expect(quotaExceeded(growth, limits).message).toBe(
    "The 100000 requests that the plan Growth has in a calendar month are used up. The next month begins 2025-07-01T00:00:00.000Z.",
  );
  expect(quotaExceeded(growth, lowered)).toMatchObject({
    message:
      "The 50 requests that the operator of this service allows this account in a calendar month until 2025-06-15T13:00:00.000Z, fewer than the 100000 of its plan Growth, are used up. The next month begins 2025-07-01T00:00:00.000Z.",
    headers: { "Retry-After": "3600" },
  });
  const forGood = { ...lowered, throttle: { burst: 5, quota: 50, until: null } };
  expect(quotaExceeded(growth, forGood).headers["Retry-After"]).toBe(String((JULY - AT) / 1000));
});

test("a request that costs too much says how many of which limit are left", () => {
  const price = { what: "An export of 4,000 rows", cost: 4 };
  expect(costsTooMuch(growth, lowered, price).message).toMatch(
    /^An export of 4,000 rows costs 4 requests; 1 of the 50 that the operator of this service allows this account in a calendar month until .* are left\. /,
  );
});

test("what costs more than the plan has left waits for the next month, whenever lower limits end", () => {
  const price = { what: "This request", cost: 40 };
  const nearlyUsedUp = { ...limits.month, used: growth.quota - 39 };
  const ofBurst: LimitStatus = { ...limits, month: nearlyUsedUp, throttle: { burst: 5, quota: null, until } };
  const wait = (of: LimitStatus) => costsTooMuch(growth, of, price).headers["Retry-After"];
  expect(wait(ofBurst)).toBe(String((JULY - AT) / 1000));
  expect(wait({ ...lowered, month: { ...nearlyUsedUp, limit: 50 } })).toBe(String((JULY - AT) / 1000));
  expect(wait({ ...lowered, month: { ...nearlyUsedUp, limit: 50, used: growth.quota - 40 } })).toBe("3600");
});
