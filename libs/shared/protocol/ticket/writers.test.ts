import { expect, test } from "vitest";
import { haveEnded, missed, withWriter, without } from "./writers.ts";

const NOW = Date.parse("2026-01-01T12:00:00Z");
const HOUR = 3_600_000;

test("all have ended when none is left", () => {
  const both = withWriter(withWriter([], "a"), "b");
  expect(haveEnded(both, NOW)).toBe(false);
  expect(haveEnded(without(without(both, "a"), "b"), NOW)).toBe(true);
});

test("one that was killed keeps Redis from counting as whole until it was missed for an hour", () => {
  const after = missed(withWriter([], "killed"), NOW);
  expect(haveEnded(after, NOW + HOUR)).toBe(false);
  expect(haveEnded(missed(after, NOW + HOUR / 2), NOW + HOUR + 1)).toBe(true);
  expect(missed(after, NOW + HOUR + 1)).toEqual([]);
});

test("one that lives comes back, and is not away", () => {
  const back = withWriter(missed(withWriter([], "alive"), NOW), "alive");
  expect(haveEnded(back, NOW + 2 * HOUR)).toBe(false);
});

test("many that were killed are kept as one", () => {
  const many = Array.from({ length: 500 }, (_, n) => `w${n}`).reduce(withWriter, []);
  expect(many).toHaveLength(100);
  expect([many[0], many.at(-1)]).toEqual([{ id: "others" }, { id: "w499" }]);
});
