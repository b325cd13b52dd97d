import { expect, test } from "vitest";
import { counted, shownBytes, shownDuration, shownTime } from "./figures.ts";

test("bytes have at most three digits", () => {
  expect([0, 999, 1000, 99_449, 99_500, 999_499, 999_500, 271e9].map(shownBytes)).toEqual([
    "0 B",
    "999 B",
    "1.0 kB",
    "99.4 kB",
    "100 kB",
    "999 kB",
    "1.0 MB",
    "271 GB",
  ]);
});

test("durations have at most two units", () => {
  expect([0, 0.4, 59.6, 60, 200, 7500, 3600, 273_600].map(shownDuration)).toEqual([
    "0 s",
    "0 s",
    "1 min",
    "1 min",
    "3 min 20 s",
    "2 h 5 min",
    "1 h",
    "3 d 4 h",
  ]);
});

test("times are in UTC", () => {
  expect(shownTime("2025-06-15T23:59:58.123Z")).toBe("2025-06-15 23:59:58");
  expect(shownTime("2025-06-15T00:30:00+02:00")).toBe("2025-06-14 22:30:00");
});

test("counts have their noun", () => {
  expect([counted(1, "line"), counted(1500, "line"), counted(0, "entry", "entries")]).toEqual([
    "1 line",
    "1,500 lines",
    "0 entries",
  ]);
});
