import type { Changes, Move } from "@tranche/shared/generations/changes";
import { expect, test } from "vitest";
import { anyOf } from "../query/filters.ts";
import { History } from "./history.ts";
import { createKept } from "./kept.ts";

const WATCH = { filters: anyOf("country", ["US"]), ids: ["shown"], order: "amount" };
const DE = { country: "DE", amount: 1 };
const US = { country: "US", amount: 1 };

/** What is there after a change of something that was made of companies in the US and shows one of them. */
function after(...changes: (Changes | undefined)[]): string | undefined {
  const [history, kept] = [new History(), createKept<string>({ max: 10 })];
  kept.set(history.add("1", undefined), "key", "made", WATCH);
  for (const [i, change] of changes.entries()) history.add(String(i + 2), change);
  return kept.get(history.last, "key");
}

const move = (one: Partial<Move>): Changes => ({ redrawn: [], moved: [{ id: "other", ...one }] });

test("what was made stays through changes of what it was not made of", () => {
  expect(after()).toBe("made");
  expect(after({ redrawn: ["other"], moved: [] })).toBe("made");
  expect(after(move({ was: DE, is: { ...DE, country: null } }))).toBe("made");
  expect(after(...Array.from({ length: 90 }, () => ({ redrawn: ["other"], moved: [] })))).toBe("made");
});

test("it goes when something that it shows looks different, or something came to it or left it", () => {
  expect(after({ redrawn: ["shown"], moved: [] })).toBeUndefined();
  expect(after(move({ was: DE, is: US }))).toBeUndefined();
  expect(after(move({ was: US }))).toBeUndefined();
  expect(after(move({ is: US }))).toBeUndefined();
  expect(after(move({ id: "shown", was: US, is: { ...US, city: "Austin" } }))).toBeUndefined();
  expect(after({ redrawn: ["shown"], moved: [] }, { redrawn: [], moved: [] })).toBeUndefined();
});

test("what stays among those that it was made of touches it only by moving past what it shows", () => {
  expect(after(move({ was: US, is: { ...US, city: "Austin" } }))).toBe("made");
  expect(after(move({ was: US, is: { ...US, amount: 2 } }))).toBeUndefined();
});

test("it goes when nobody knows what changed, or nobody remembers", () => {
  expect(after(undefined)).toBeUndefined();
  expect(after({ redrawn: [], moved: [] }, undefined, { redrawn: [], moved: [] })).toBeUndefined();
  expect(after(...Array.from({ length: 101 }, () => ({ redrawn: [], moved: [] })))).toBeUndefined();
  const many = { redrawn: [], moved: Array.from({ length: 3000 }, () => ({ id: "other", was: DE })) };
  expect(after(many)).toBe("made");
  expect(after(many, many)).toBeUndefined();
});

test("what watches nothing is of its generation alone", () => {
  const [history, kept] = [new History(), createKept<string>({ max: 10 })];
  const first = history.add("1", undefined);
  kept.set(first, "key", "made", undefined);
  expect(kept.get(first, "key")).toBe("made");
  expect(kept.get(history.add("2", { redrawn: [], moved: [] }), "key")).toBeUndefined();
});

test("without a generation nothing is kept", () => {
  const kept = createKept<string>({ max: 10 });
  kept.set(undefined, "key", "made", WATCH);
  expect(kept.get(undefined, "key")).toBeUndefined();
  expect(kept.get(new History().add("1", undefined), "key")).toBeUndefined();
});

test("memory is bounded: the least recently used goes", () => {
  const kept = createKept<string>({ maxBytes: 1000, bytesOf: () => 200 });
  const generation = new History().add("1", undefined);
  for (const key of ["a", "b", "c", "d"]) kept.set(generation, key, key, undefined);
  expect(["a", "b", "c", "d"].map((key) => kept.get(generation, key))).toEqual([undefined, "b", "c", "d"]);
});
