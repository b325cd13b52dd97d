import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { memoizeFor } from "./memoize-for.ts";

test("an answer is shared by all requests within the time, and requested anew after it", async () => {
  let asked = 0;
  const ask = memoizeFor(200, async () => ++asked);
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  expect(await ask()).toBe(1);
  await pause(250);
  expect(await ask()).toBe(2);
});

test("a call under way is shared for as long as it takes", async () => {
  let asked = 0;
  const ask = memoizeFor(0, async () => {
    await pause(20);
    return ++asked;
  });
  const first = ask();
  await pause(5);
  expect(await Promise.all([first, ask()])).toEqual([1, 1]);
  expect(await ask()).toBe(2);
});

test("a failure is shared as well, and no longer", async () => {
  let fails = true;
  const ask = memoizeFor(200, () => (fails ? Promise.reject(new Error("away")) : Promise.resolve("there")));
  await expect(ask()).rejects.toThrow("away");
  fails = false;
  await expect(ask()).rejects.toThrow("away");
  await pause(250);
  expect(await ask()).toBe("there");
});
