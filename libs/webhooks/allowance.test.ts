import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import { expect, test } from "vitest";
import { createAllowance } from "./allowance.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const HOUR_MS = 3_600_000;
const allowance = createAllowance(() => DEFAULT_PLANS);
const start = (webhook_id: string, hoursAgo: number) => ({
  webhook_id,
  at: new Date(NOW - hoursAgo * HOUR_MS).toISOString(),
});
const five = [5, 4, 3, 2, 1].map((hours) => start(`w${hours}`, hours));
const webhook = (webhook_id: string, status: "pending" | "active" = "active") => ({ webhook_id, status });

test("a webhook begins at the start once in 24 hours", () => {
  const asked = (hoursAgo: number) => () =>
    allowance.assertMayStart([start("a", hoursAgo)], webhook("a"), "growth", NOW);
  expect(asked(23)).toThrow("It may again from 2026-11-20T13:00:00.000Z on. Resume it where it stopped, or from now.");
  expect(asked(24)).not.toThrow();
});

test("a pending webhook got nothing, so its own start does not count", () => {
  expect(() => allowance.assertMayStart([start("a", 1)], webhook("a", "pending"), "growth", NOW)).not.toThrow();
  expect(() => allowance.assertMayStart(five, webhook("w3", "pending"), "growth", NOW)).not.toThrow();
});

test("the webhooks of an account begin at the start as often in 24 hours as its plan has webhooks", () => {
  expect(() => allowance.assertMayStart(five.slice(1), undefined, "growth", NOW)).not.toThrow();
  for (const asking of [undefined, webhook("new", "pending"), webhook("old")]) {
    expect(() => allowance.assertMayStart(five, asking, "growth", NOW)).toThrow(
      /did 5 times\. It may again from 2026-11-21T07:00:00.000Z on\./,
    );
  }
  expect(() => allowance.assertMayStart(five, undefined, "scale", NOW)).not.toThrow();
});

test("after a smaller plan was chosen, so many have to be old enough that there is room", () => {
  expect(() => allowance.assertMayStart(five, undefined, "starter", NOW)).toThrow(
    "again from 2026-11-21T11:00:00.000Z on",
  );
});
