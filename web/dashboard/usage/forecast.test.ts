import { expect, test } from "vitest";
import { forecastOf } from "./forecast.ts";

const month = (now: string, used: number, rest: { limit?: number; accountSince?: string } = {}) =>
  forecastOf({
    used,
    limit: 10_000,
    resetsAt: "2026-12-01T00:00:00.000Z",
    accountSince: "2020-01-01T00:00:00.000Z",
    now,
    ...rest,
  });

test("the rest of the month is taken to be like what is behind", () => {
  expect(month("2026-11-16T00:00:00Z", 3000)).toEqual({
    kind: "estimate",
    requests: 6000,
    rough: false,
    usedUpAt: undefined,
  });
});

test("the first two days give no forecast, and the first week a rough one", () => {
  expect(month("2026-11-02T23:59:00Z", 900)).toEqual({ kind: "too_early" });
  expect(month("2026-11-03T00:00:00Z", 200)).toMatchObject({ requests: 3000, rough: true });
  expect(month("2026-11-08T00:00:00Z", 700)).toMatchObject({ requests: 3000, rough: false });
});

test("an account of this month is measured from its first day", () => {
  const accountSince = "2026-11-21T00:00:00Z";
  expect(month("2026-11-22T00:00:00Z", 100, { accountSince })).toEqual({ kind: "too_early" });
  expect(month("2026-11-26T00:00:00Z", 500, { accountSince })).toMatchObject({ requests: 1000, rough: true });
});

test("it says when the limit will be reached, and nothing when it was", () => {
  expect(month("2026-11-11T00:00:00Z", 5000)).toMatchObject({
    requests: 15_000,
    usedUpAt: new Date("2026-11-21T00:00:00Z"),
  });
  expect(month("2026-11-11T00:00:00Z", 10_000)).toMatchObject({ requests: 30_000, usedUpAt: undefined });
});

test("without requests there are none to come, and the last moment adds nothing", () => {
  expect(month("2026-11-20T00:00:00Z", 0)).toMatchObject({ requests: 0, usedUpAt: undefined });
  expect(month("2026-11-30T23:59:59.999Z", 777)).toMatchObject({ requests: 777 });
});

test("a month over the end of a year", () => {
  expect(
    forecastOf({
      used: 100,
      limit: 1000,
      resetsAt: "2027-01-01T00:00:00Z",
      now: "2026-12-11T00:00:00Z",
      accountSince: "2026-01-01T00:00:00Z",
    }),
  ).toMatchObject({ requests: 310 });
});
