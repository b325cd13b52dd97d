import type { FundingDocument } from "@tranche/read-models/documents/funding";
import { setTimeout as pause } from "node:timers/promises";
import type { Changes, Move, Step } from "@tranche/shared/generations/changes";
import { expect, onTestFinished, test, vi } from "vitest";
import { anyOf } from "@tranche/read-models/query/filters";
import { History } from "./history.ts";
import { createKept } from "./kept.ts";

const WATCH = { filters: anyOf<FundingDocument>("country", ["US"]), ids: ["shown"], order: "amount" };
const DE = { country: "DE", amount: 1 };
const US = { country: "US", amount: 1 };

/** What is there after a change of something that was made of companies in the US and shows one of them. */
function after(...changes: (Changes | undefined)[]): string | undefined {
  const [history, kept] = [new History(), createKept<string>({ maxBytes: 10_000 })];
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
  const [history, kept] = [new History(), createKept<string>({ maxBytes: 10_000 })];
  const first = history.add("1", undefined);
  kept.set(first, "key", "made", undefined);
  expect(kept.get(first, "key")).toBe("made");
  expect(kept.get(history.add("2", { redrawn: [], moved: [] }), "key")).toBeUndefined();
});

/** A count of 5 in the US after some steps; before and after it was made it was asked how many writings had begun. */
async function counted(begun: { before?: number; after?: number }, ...steps: Step[]): Promise<number | undefined> {
  const history = new History();
  const kept = createKept<number>({ maxBytes: 10_000 }, (count, gained) => count + gained);
  const asked = (found: number | undefined) => found !== undefined && history.noteBegun(found, performance.now());
  const first = history.add("1", undefined);
  asked(begun.before);
  kept.set(first, "key", 5, { filters: anyOf<FundingDocument>("country", ["US"]), ids: [] });
  await pause(1);
  asked(begun.after);
  for (const [i, step] of steps.entries()) history.add(String(i + 2), step);
  return kept.get(history.last, "key");
}

test("a count goes on with what comes and leaves by writings that began later", async () => {
  const [comes, leaves] = [move({ was: DE, is: US }), move({ was: US })];
  expect(await counted({ after: 6 }, { ...comes, begun: 7 })).toBe(6);
  expect(await counted({ after: 6 }, { ...leaves, begun: 8 }, { ...leaves, begun: 7 })).toBe(3);
  expect(await counted({ before: 3, after: 6 }, { ...comes, begun: 7 }, { ...leaves, begun: 9 })).toBe(5);
});

test("it ends with what comes or leaves by others, for it may have that already", async () => {
  const comes = move({ is: US });
  expect(await counted({ after: 7 }, { ...comes, begun: 7 })).toBeUndefined();
  expect(await counted({ after: 7 }, { ...comes, begun: 8 }, { ...comes, begun: 7 })).toBeUndefined();
  expect(await counted({ before: 6 }, { ...comes, begun: 7 })).toBeUndefined();
  expect(await counted({}, { ...comes, begun: 7 })).toBeUndefined();
  expect(await counted({ after: 6 }, comes)).toBeUndefined();
  expect(await counted({}, { ...move({ was: US, is: US }), begun: 7 }, move({ is: DE }))).toBe(5);
});

test("without a generation nothing is kept", () => {
  const kept = createKept<string>({ maxBytes: 10_000 });
  kept.set(undefined, "key", "made", WATCH);
  expect(kept.get(undefined, "key")).toBeUndefined();
  expect(kept.get(new History().add("1", undefined), "key")).toBeUndefined();
});

test("nothing is believed for longer than a minute, whatever the generations say", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const kept = createKept<string>({ maxBytes: 10_000 });
  const generation = new History().add("1", undefined);
  kept.set(generation, "key", "made", WATCH);
  vi.advanceTimersByTime(59_000);
  expect(kept.get(generation, "key")).toBe("made");
  vi.advanceTimersByTime(2000);
  expect(kept.get(generation, "key")).toBeUndefined();
});

test("memory is bounded: the least recently used goes", () => {
  const kept = createKept<string>({ maxBytes: 2000, bytesOf: () => 300 });
  const generation = new History().add("1", undefined);
  for (const key of ["a", "b", "c", "d"]) kept.set(generation, key, key, undefined);
  expect(["a", "b", "c", "d"].map((key) => kept.get(generation, key))).toEqual([undefined, "b", "c", "d"]);
});
