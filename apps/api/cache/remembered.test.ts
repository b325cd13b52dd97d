import { expect, test } from "vitest";
import { type Generation, History } from "./history.ts";
import { createKept } from "./kept.ts";
import { createRemembered, type Made } from "./remembered.ts";

const counting = () => {
  let made = 0;
  return async (): Promise<Made<number>> => ({ value: ++made, watch: { filters: [], ids: [] } });
};
const create = () => createRemembered<number>(createKept({ maxBytes: 100_000 }));
const NOTHING = { redrawn: [], moved: [] };
/** Touches all that was made without filters. */
const ANYTHING = { redrawn: [], moved: [{ id: "one", is: {} }] };

test("a thousand who ask at once share one making", async () => {
  const remembered = create();
  const generation = new History().add("1", undefined);
  const make = counting();
  const slowly = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return make();
  };
  const answers = await Promise.all(Array.from({ length: 1000 }, () => remembered(generation, "a", slowly)));
  expect(new Set(answers)).toEqual(new Set([1]));
});

test("what is made before a change is not shared by who asks after it", async () => {
  const remembered = create();
  const history = new History();
  const first = history.add("1", undefined);
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const before = remembered(first, "a", async () => {
    begun.resolve();
    await ended.promise;
    return { value: 1, watch: { filters: [], ids: [] } };
  });
  await begun.promise;
  const second = history.add("2", ANYTHING);
  const after = await remembered(second, "a", async () => ({ value: 2, watch: { filters: [], ids: [] } }));
  ended.resolve();
  expect([await before, after]).toEqual([1, 2]);
  expect(remembered.finished(second, "a")).toBe(2);
});

test("another key is made afresh, and so is what a change touched", async () => {
  const remembered = create();
  const history = new History();
  const make = counting();
  const ask = (generation: Generation | undefined, key: string) => remembered(generation, key, make);
  const first = history.add("1", undefined);
  expect([await ask(first, "a"), await ask(first, "b"), await ask(first, "a")]).toEqual([1, 2, 1]);
  expect(await ask(history.add("2", NOTHING), "a")).toBe(1);
  expect(await ask(history.add("3", ANYTHING), "a")).toBe(3);
  expect(await ask(history.add("4", undefined), "a")).toBe(4);
});

test("without a generation nothing is remembered", async () => {
  const remembered = create();
  const make = counting();
  expect([await remembered(undefined, "a", make), await remembered(undefined, "a", make)]).toEqual([1, 2]);
});

test("what fails is made again", async () => {
  const remembered = create();
  const generation = new History().add("1", undefined);
  await expect(remembered(generation, "a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await remembered(generation, "a", counting())).toBe(1);
});

test("what is finished is told without waiting, what is being made is not there yet", async () => {
  const remembered = create();
  const generation = new History().add("1", undefined);
  const made = remembered(generation, "a", counting());
  expect(remembered.finished(generation, "a")).toBeUndefined();
  await made;
  expect(remembered.finished(generation, "a")).toBe(1);
  expect(remembered.finished(undefined, "a")).toBeUndefined();
});
