import { expect, test } from "vitest";
import { isOver, isSettling, type LostNumbers, withLost } from "./lost-numbers.ts";

const AT = "2026-01-01T12:00:00.000Z";
const after = (ms: number) => Date.parse(AT) + ms;
const lost = (above: number): LostNumbers => ({ above, last: above + 5, at: AT });

test("dead writers may write for some seconds after a loss, and nothing appears after a quarter of an hour", () => {
  expect([
    isSettling([], after(0)),
    isSettling([lost(1)], after(14_000)),
    isSettling([lost(1)], after(16_000)),
  ]).toEqual([false, true, false]);
  expect([isOver(lost(1), after(800_000)), isOver(lost(1), after(901_000))]).toEqual([false, true]);
});

test("too many are kept as fewer that cover them", () => {
  const many = Array.from({ length: 110 }, (_, n) => lost(10 * n)).reduce(withLost, [] as LostNumbers[]);
  expect(many).toHaveLength(100);
  expect([many[0], many.at(-1)]).toEqual([{ ...lost(100), above: 0 }, lost(1090)]);
});
