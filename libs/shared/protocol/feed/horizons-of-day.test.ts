import { expect, test } from "vitest";
import { type HorizonsOfDay, newestFirst, withHorizons } from "./horizons-of-day.ts";

const at = (time: string) => Date.parse(`2026-03-14T${time}Z`);
const seen = (horizon: number, { moves = horizon, epoch = "e" } = {}) => ({
  funding: { epoch, horizon, moves },
  companies: { epoch, horizon: horizon + 1, moves: 0 },
});
const noted = (stored: HorizonsOfDay | undefined, time: string, ...of: Parameters<typeof seen>) => {
  const next = withHorizons(stored, at(time), seen(...of));
  if (!next) throw new Error(`nothing is noted at ${time}`);
  return next;
};

test("a minute has one note, of its first second, and the time is rounded up", () => {
  const first = noted(undefined, "09:00:30.001", 100);
  expect(first).toEqual({
    kind: "feed-horizons",
    id: "2026-03-14",
    epoch: "e",
    seconds: [9 * 3600 + 31],
    horizons: { funding: [100], companies: [101] },
    moves: { funding: 100, companies: 0 },
  });
  expect(withHorizons(first, at("09:00:59"), seen(200))).toBeUndefined();
  const second = noted(first, "09:01:00", 200);
  expect(newestFirst(second, "companies")).toEqual([
    { time: at("09:01:00"), horizon: 201 },
    { time: at("09:00:31"), horizon: 101 },
  ]);
});

test("nothing is noted while nothing moves, except the first note of a day", () => {
  const first = noted(undefined, "09:00:00", 100, { moves: 1 });
  expect(withHorizons(first, at("09:05:00"), seen(500, { moves: 1 }))).toBeUndefined();
  expect(withHorizons(undefined, at("09:05:00"), seen(500, { moves: 1 }))).toBeDefined();
});

test("a clock that went back notes nothing earlier", () => {
  const first = noted(undefined, "09:00:00", 100);
  expect(withHorizons(first, at("08:00:00"), seen(200))).toBeUndefined();
});

test("another epoch begins anew, in the same minute", () => {
  const first = noted(undefined, "09:00:00", 100);
  expect(noted(first, "09:00:10", 50, { epoch: "next" })).toMatchObject({ epoch: "next", horizons: { funding: [50] } });
});

test("nothing is noted while the epoch changes", () => {
  const { funding } = seen(1);
  const { companies } = seen(1, { epoch: "next" });
  expect(withHorizons(undefined, at("09:00:00"), { funding, companies })).toBeUndefined();
});
