import { expect, test } from "vitest";
import { usageSeries } from "./usage-series.ts";

const NOW = Date.parse("2025-06-15T23:30:00Z");
const line = (day: string, status: "2xx" | "4xx", requests: number, keyId = "k") => ({
  account: "a",
  keyId,
  way: "api" as const,
  day,
  status,
  requests,
});

test("lines of all keys are added up by day and kind of answer, over the last 90 days", () => {
  const lines = [
    line("2025-06-15", "2xx", 3),
    line("2025-06-15", "2xx", 4, "other"),
    line("2025-03-18", "4xx", 1),
    line("2025-03-17", "2xx", 100),
  ];
  const { days, series } = usageSeries(lines, NOW);
  expect([days.length, days[0], days.at(-1)]).toEqual([90, "2025-03-18", "2025-06-15"]);
  expect(series.map(({ status, values }) => [status, values[0], values.at(-1)])).toEqual([
    ["2xx", 0, 7],
    ["4xx", 1, 0],
  ]);
});

test("without requests there is no series", () => {
  expect(usageSeries([], NOW).series).toEqual([]);
});
