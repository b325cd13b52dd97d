import { expect, test } from "vitest";
import { endOfMonth, rateLimitHeaders, remaining, secondsUntilReset } from "./limit-status.ts";

const at = Date.parse("2025-02-10T12:00:00.400Z");

test("the headers have both windows: policy, requests left, and seconds until the reset", () => {
  const headers = rateLimitHeaders({
    at,
    burst: { limit: 60, used: 18, resetsAt: Date.parse("2025-02-10T12:00:09Z") },
    month: { limit: 10_000, used: 9000, resetsAt: Date.parse("2025-03-01T00:00:00Z") },
    own: { limit: 1000, used: 0, resetsAt: 0 },
  });
  expect(headers).toEqual(
    Object.entries({
      "RateLimit-Policy": '"burst";q=60;w=60, "month";q=10000;w=2419200',
      RateLimit: '"burst";r=42;t=9, "month";r=1000;t=1598400',
      "X-RateLimit-Limit": "60",
      "X-RateLimit-Remaining": "42",
      "X-RateLimit-Reset": "1739188809",
    }).flat(),
  );
});

test("the remaining requests and the seconds until a reset are never negative", () => {
  const window = { limit: 10, used: 12, resetsAt: at - 5000 };
  expect([remaining(window), secondsUntilReset(window, at)]).toEqual([0, 0]);
});

test("a month ends when the next one begins, in UTC", () => {
  expect(new Date(endOfMonth(Date.parse("2024-02-29T23:59:59.999Z"))).toISOString()).toBe("2024-03-01T00:00:00.000Z");
  expect(new Date(endOfMonth(Date.parse("2025-12-31T00:00:00Z"))).toISOString()).toBe("2026-01-01T00:00:00.000Z");
});
