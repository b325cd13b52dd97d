import { expect, test } from "vitest";
import { shownBytes, shownDuration } from "./numbers.ts";

test("durations have at most two units", () => {
  expect([0.42, 9.94, 9.96, 59.4, 59.6, 125, 3599.6, 3780, 86_399, 273_600].map(shownDuration)).toEqual([
    "0.4 s",
    "9.9 s",
    "10 s",
    "59 s",
    "1 min 0 s",
    "2 min 5 s",
    "1 h 0 min",
    "1 h 3 min",
    "1 d 0 h",
    "3 d 4 h",
  ]);
});

test("bytes have the unit that fits", () => {
  expect([0, 512, 1500, 12_345_678, 999_600_000, 120e9].map(shownBytes)).toEqual([
    "0 B",
    "512 B",
    "1.5 kB",
    "12 MB",
    "1.0 GB",
    "120 GB",
  ]);
});
