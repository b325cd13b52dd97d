import type { FundingDocument } from "@tranche/read-models/documents/funding";
import { setTimeout as pause } from "node:timers/promises";
import type { Move, Step } from "@tranche/shared/protocol/generations/changes";
import { expect, onTestFinished, test, vi } from "vitest";
import { anyOf } from "@tranche/read-models/query/filters";
import { ChangeLog } from "./change-log.ts";
import { createValidatedCache } from "./validated-cache.ts";

const DEPENDENCIES = { filters: anyOf<FundingDocument>("country", ["US"]), ids: ["shown"], order: "amount" };
const VALUE = { value: "value", dependencies: DEPENDENCIES };
const DE = { country: "DE", amount: 1 };
const US = { country: "US", amount: 1 };

/** The cached value after some changes. It was computed from companies in the US and shows one of them. */
function after(...changes: (Omit<Step, "begun"> | undefined)[]): string | undefined {
  const [log, cache] = [new ChangeLog(), createValidatedCache<string>({ maxBytes: 10_000 })];
  cache.set(log.add("1", undefined), "key", VALUE, performance.now());
  for (const [i, change] of changes.entries()) log.add(String(i + 2), change && { begun: 1, ...change });
  return cache.get(log.last, "key");
}

const move = (one: Partial<Move>): Step => ({ redrawn: [], moved: [{ id: "other", ...one }], begun: 1 });

test("a value stays valid through changes that it does not depend on", () => {
  expect(after()).toBe("value");
  expect(after({ redrawn: ["other"], moved: [] })).toBe("value");
  expect(after(move({ was: DE, is: { ...DE, country: null } }))).toBe("value");
  expect(after(...Array.from({ length: 90 }, () => ({ redrawn: ["other"], moved: [] })))).toBe("value");
});

test("a value is stale when a document that it shows changes, or one comes or leaves", () => {
  expect(after({ redrawn: ["shown"], moved: [] })).toBeUndefined();
  expect(after(move({ was: DE, is: US }))).toBeUndefined();
  expect(after(move({ was: US }))).toBeUndefined();
  expect(after(move({ is: US }))).toBeUndefined();
  expect(after(move({ id: "shown", was: US, is: { ...US, city: "Austin" } }))).toBeUndefined();
  expect(after({ redrawn: ["shown"], moved: [] }, { redrawn: [], moved: [] })).toBeUndefined();
});

test("a document that stays in the list makes a value stale only by taking another place in the order", () => {
  expect(after(move({ was: US, is: { ...US, city: "Austin" } }))).toBe("value");
  expect(after(move({ was: US, is: { ...US, amount: 2 } }))).toBeUndefined();
});

test("a value that shows something of all documents is stale after any change of one of them", () => {
  const all = { filters: anyOf<FundingDocument>("country", ["US"]), ids: [], all: true as const };
  const [log, cache] = [new ChangeLog(), createValidatedCache<string>({ maxBytes: 10_000 })];
  const keeps = (change: Omit<Step, "begun">) => {
    cache.set(log.add("before", undefined), "key", { value: "value", dependencies: all }, performance.now());
    return cache.get(log.add("after", { begun: 1, ...change }), "key") !== undefined;
  };
  expect(keeps(move({ was: DE, is: { ...DE, amount: 2 } }))).toBe(true);
  expect(keeps(move({ was: DE }))).toBe(true);
  expect(keeps(move({ was: US, is: { ...US, city: "Austin" } }))).toBe(false);
  expect(keeps(move({ was: US, is: DE }))).toBe(false);
  expect(keeps(move({ is: US }))).toBe(false);
  // It may be any company whose name is shown.
  expect(keeps({ redrawn: ["other"], moved: [] })).toBe(false);
});

test("a value is stale when the changes are unknown or forgotten", () => {
  expect(after(undefined)).toBeUndefined();
  expect(after({ redrawn: [], moved: [] }, undefined, { redrawn: [], moved: [] })).toBeUndefined();
  expect(after(...Array.from({ length: 101 }, () => ({ redrawn: [], moved: [] })))).toBeUndefined();
  const many = { redrawn: [], moved: Array.from({ length: 3000 }, () => ({ id: "other", was: DE })) };
  expect(after(many)).toBe("value");
  expect(after(many, many)).toBeUndefined();
});

test("a value without dependencies is valid in its generation only", () => {
  const [log, cache] = [new ChangeLog(), createValidatedCache<string>({ maxBytes: 10_000 })];
  const first = log.add("1", undefined);
  cache.set(first, "key", { value: "value" }, performance.now());
  expect(cache.get(first, "key")).toBe("value");
  expect(cache.get(log.add("2", { redrawn: [], moved: [], begun: 1 }), "key")).toBeUndefined();
});

/** A count of 5 companies in the US after some steps. `begun`: how many writes had begun before and after it was stored. */
async function counted(begun: { before?: number; after?: number }, ...steps: Step[]): Promise<number | undefined> {
  const log = new ChangeLog();
  const cache = createValidatedCache<number>({ maxBytes: 10_000 }, (count, gained) => count + gained);
  const note = (found: number | undefined) => found !== undefined && log.noteBegun(found, performance.now());
  const first = log.add("1", undefined);
  note(begun.before);
  const dependencies = { filters: anyOf<FundingDocument>("country", ["US"]), ids: [] };
  cache.set(first, "key", { value: 5, dependencies }, performance.now());
  await pause(1);
  note(begun.after);
  for (const [i, step] of steps.entries()) log.add(String(i + 2), step);
  return cache.get(log.last, "key");
}

test("a count is adjusted by the documents of writes that began later", async () => {
  const [comes, leaves] = [move({ was: DE, is: US }), move({ was: US })];
  expect(await counted({ after: 6 }, { ...comes, begun: 7 })).toBe(6);
  expect(await counted({ after: 6 }, { ...leaves, begun: 8 }, { ...leaves, begun: 7 })).toBe(3);
  expect(await counted({ before: 3, after: 6 }, { ...comes, begun: 7 }, { ...leaves, begun: 9 })).toBe(5);
});

test("a count is stale after other writes, because it may include their documents already", async () => {
  const comes = move({ is: US });
  expect(await counted({ after: 7 }, { ...comes, begun: 7 })).toBeUndefined();
  expect(await counted({ after: 7 }, { ...comes, begun: 8 }, { ...comes, begun: 7 })).toBeUndefined();
  expect(await counted({ before: 6 }, { ...comes, begun: 7 })).toBeUndefined();
  expect(await counted({}, { ...comes, begun: 7 })).toBeUndefined();
  expect(await counted({ after: 6 }, comes)).toBeUndefined();
  expect(await counted({}, { ...move({ was: US, is: US }), begun: 7 }, move({ is: DE }))).toBe(5);
});

test("without a generation nothing is cached", () => {
  const cache = createValidatedCache<string>({ maxBytes: 10_000 });
  cache.set(undefined, "key", VALUE, performance.now());
  expect(cache.get(undefined, "key")).toBeUndefined();
  expect(cache.get(new ChangeLog().add("1", undefined), "key")).toBeUndefined();
});

test("no entry is used for longer than a minute, and only guesses use one that a change made stale", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const cache = createValidatedCache<string>({ maxBytes: 10_000 });
  const log = new ChangeLog();
  const generation = log.add("1", undefined);
  cache.set(generation, "key", VALUE, performance.now());
  vi.advanceTimersByTime(59_000);
  expect(cache.get(generation, "key")).toBe("value");
  expect([cache.get(log.add("2", undefined), "key"), cache.recent("key")]).toEqual([undefined, "value"]);
  vi.advanceTimersByTime(2000);
  expect([cache.get(generation, "key"), cache.recent("key")]).toEqual([undefined, undefined]);
});

test("an entry is used for longer while Elasticsearch says that nothing became visible, but not after a state before it was computed", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const cache = createValidatedCache<string>({ maxBytes: 10_000 });
  const log = new ChangeLog();
  const generation = log.add("1", undefined);
  const note = (state: string) => {
    const now = performance.now();
    log.noteState(state, { askedAt: now, answeredAt: now });
  };
  const before = performance.now();
  vi.advanceTimersByTime(1);
  note("a");
  cache.set(generation, "early", VALUE, before);
  cache.set(generation, "key", VALUE, performance.now());
  vi.advanceTimersByTime(61_000);
  note("a");
  expect(cache.get(generation, "early")).toBeUndefined();
  vi.advanceTimersByTime(59_000);
  expect(cache.get(generation, "key")).toBe("value");
  expect(cache.needsRenewal("key")).toBe(true);
  note("a");
  expect(cache.needsRenewal("key")).toBe(false);
  vi.advanceTimersByTime(30_000);
  note("b");
  expect(cache.get(generation, "key")).toBeUndefined();
});

test("memory is bounded: the least recently used entry is evicted", () => {
  const cache = createValidatedCache<string>({ maxBytes: 2000, bytesOf: () => 300 });
  const generation = new ChangeLog().add("1", undefined);
  for (const key of ["a", "b", "c", "d"]) cache.set(generation, key, { value: key }, performance.now());
  expect(["a", "b", "c", "d"].map((key) => cache.get(generation, key))).toEqual([undefined, "b", "c", "d"]);
});
