import type { Changes } from "@tranche/shared/generations/changes";
import { expect, test } from "vitest";
import { anyOf } from "../query/filters.ts";
import { History } from "./history.ts";
import { createKept } from "./kept.ts";

const WATCH = { filters: anyOf("country", ["US"]), ids: ["shown"] };

/** What is there after a change of something that was made of companies in the US and shows one of them. */
function after(...changes: (Changes | undefined)[]): string | undefined {
  const [history, kept] = [new History(), createKept<string>({ max: 10 })];
  kept.set(history.add("1", undefined), "key", "made", WATCH);
  for (const [i, change] of changes.entries()) history.add(String(i + 2), change);
  return kept.get(history.last, "key");
}

test("what was made stays through changes of what it was not made of", () => {
  expect(after()).toBe("made");
  expect(after({ redrawn: ["other"], states: [] })).toBe("made");
  expect(after({ redrawn: [], states: [{ country: "DE" }, { country: null }] })).toBe("made");
  expect(after(...Array.from({ length: 90 }, () => ({ redrawn: ["other"], states: [] })))).toBe("made");
});

test("it goes when something that it shows looks different, or something came to it or left it", () => {
  expect(after({ redrawn: ["shown"], states: [] })).toBeUndefined();
  expect(after({ redrawn: [], states: [{ country: "DE" }, { country: "US" }] })).toBeUndefined();
  expect(after({ redrawn: ["shown"], states: [] }, { redrawn: [], states: [] })).toBeUndefined();
});

test("it goes when nobody knows what changed, or nobody remembers", () => {
  expect(after(undefined)).toBeUndefined();
  expect(after({ redrawn: [], states: [] }, undefined, { redrawn: [], states: [] })).toBeUndefined();
  expect(after(...Array.from({ length: 101 }, () => ({ redrawn: [], states: [] })))).toBeUndefined();
  const many = { redrawn: [], states: Array.from({ length: 3000 }, () => ({ country: "DE" })) };
  expect(after(many)).toBe("made");
  expect(after(many, many)).toBeUndefined();
});

test("what watches nothing is of its generation alone", () => {
  const [history, kept] = [new History(), createKept<string>({ max: 10 })];
  const first = history.add("1", undefined);
  kept.set(first, "key", "made", undefined);
  expect(kept.get(first, "key")).toBe("made");
  expect(kept.get(history.add("2", { redrawn: [], states: [] }), "key")).toBeUndefined();
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
