import { expect, onTestFinished, test, vi } from "vitest";
import type { Cacheable, Generation } from "../serve/generation.ts";
import { ChangeLog } from "./change-log.ts";
import { createValidatedCache } from "./validated-cache.ts";
import { createSingleFlight } from "./single-flight.ts";

const counting = () => {
  let made = 0;
  return async (): Promise<Cacheable<number>> => ({ value: ++made, dependencies: { filters: [], ids: [] } });
};
const create = () => createSingleFlight<number>(createValidatedCache({ maxBytes: 100_000 }));
const NOTHING = { redrawn: [], moved: [], begun: 1 };
/** Touches all that was made without filters. */
const ANYTHING = { redrawn: [], moved: [{ id: "one", is: {} }], begun: 1 };

test("a thousand concurrent requests share one computation", async () => {
  const singleFlight = create();
  const generation = new ChangeLog().add("1", undefined);
  const compute = counting();
  const slowly = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return compute();
  };
  const answers = await Promise.all(Array.from({ length: 1000 }, () => singleFlight(generation, "a", slowly)));
  expect(new Set(answers)).toEqual(new Set([1]));
});

test("a request after a change does not share the computation of a request before it", async () => {
  const singleFlight = create();
  const log = new ChangeLog();
  const first = log.add("1", undefined);
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const before = singleFlight(first, "a", async () => {
    begun.resolve();
    await ended.promise;
    return { value: 1, dependencies: { filters: [], ids: [] } };
  });
  await begun.promise;
  const second = log.add("2", ANYTHING);
  const after = await singleFlight(second, "a", async () => ({ value: 2, dependencies: { filters: [], ids: [] } }));
  ended.resolve();
  expect([await before, after]).toEqual([1, 2]);
  expect(singleFlight.cached(second, "a")).toBe(2);
});

test("another key is computed again, and so is a value that a change affects", async () => {
  const singleFlight = create();
  const log = new ChangeLog();
  const compute = counting();
  const ask = (generation: Generation | undefined, key: string) => singleFlight(generation, key, compute);
  const first = log.add("1", undefined);
  expect([await ask(first, "a"), await ask(first, "b"), await ask(first, "a")]).toEqual([1, 2, 1]);
  expect(await ask(log.add("2", NOTHING), "a")).toBe(1);
  expect(await ask(log.add("3", ANYTHING), "a")).toBe(3);
  expect(await ask(log.add("4", undefined), "a")).toBe(4);
});

test("without a generation nothing is cached", async () => {
  const singleFlight = create();
  const compute = counting();
  expect([await singleFlight(undefined, "a", compute), await singleFlight(undefined, "a", compute)]).toEqual([1, 2]);
});

test("an error is not cached", async () => {
  const singleFlight = create();
  const generation = new ChangeLog().add("1", undefined);
  await expect(singleFlight(generation, "a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await singleFlight(generation, "a", counting())).toBe(1);
});

test("only finished values are cached, not those that are being computed", async () => {
  const singleFlight = create();
  const generation = new ChangeLog().add("1", undefined);
  const made = singleFlight(generation, "a", counting());
  expect(singleFlight.cached(generation, "a")).toBeUndefined();
  await made;
  expect(singleFlight.cached(generation, "a")).toBe(1);
  expect(singleFlight.cached(undefined, "a")).toBeUndefined();
});

test("a value that is due is used while one request computes it again", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const singleFlight = create();
  const generation = new ChangeLog().add("1", undefined);
  const compute = counting();
  const ask = () => singleFlight(generation, "a", compute);
  await ask();
  vi.advanceTimersByTime(49_000);
  expect(singleFlight.cached(generation, "a")).toBe(1);

  vi.advanceTimersByTime(2000);
  expect(singleFlight.cached(generation, "a")).toBeUndefined();
  await expect(singleFlight(generation, "a", () => Promise.reject(new Error("away")))).resolves.toBe(1);
  await nothingUnderWay();
  expect(singleFlight.cached(generation, "a")).toBeUndefined();

  const [one, other] = [ask(), ask()];
  expect(singleFlight.cached(generation, "a")).toBe(1);
  expect([await one, await other]).toEqual([1, 1]);
  await nothingUnderWay();
  expect(singleFlight.cached(generation, "a")).toBe(2);
  expect(await ask()).toBe(2);
});

const nothingUnderWay = () => new Promise((resolve) => setImmediate(resolve));

/** A computation that ends when its test says so, or when it is cancelled. */
function cancellable() {
  const { promise, resolve, reject } = Promise.withResolvers<Cacheable<number>>();
  const compute = (left: AbortSignal) => {
    left.addEventListener("abort", () => reject(new Error("cancelled")));
    return promise;
  };
  return { compute, end: () => resolve({ value: 1 }) };
}

test("a computation is cancelled when the last of its callers has left, and the next caller begins anew", async () => {
  const singleFlight = create();
  const generation = new ChangeLog().add("1", undefined);
  const [one, other] = [new AbortController(), new AbortController()];
  const { compute } = cancellable();
  const waiting = [one, other].map(({ signal }) => singleFlight(generation, "a", compute, signal));
  const ended = Promise.allSettled(waiting);
  one.abort();
  await nothingUnderWay();
  other.abort();
  expect(await singleFlight(generation, "a", counting(), new AbortController().signal)).toBe(1);
  expect((await ended).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("a computation goes on while one of its callers stays", async () => {
  const singleFlight = create();
  const generation = new ChangeLog().add("1", undefined);
  const leaving = new AbortController();
  const { compute, end } = cancellable();
  const waiting = [
    singleFlight(generation, "a", compute, leaving.signal),
    singleFlight(generation, "a", compute, new AbortController().signal),
  ];
  leaving.abort();
  end();
  expect(await Promise.all(waiting)).toEqual([1, 1]);
});

test("what a computation throws at once goes to its caller alone", async () => {
  const singleFlight = create();
  const generation = new ChangeLog().add("1", undefined);
  const refused = singleFlight(generation, "a", () => {
    throw new Error("no turn");
  });
  const other = singleFlight(generation, "a", counting());
  await expect(refused).rejects.toThrow("no turn");
  expect(await other).toBe(1);
});
