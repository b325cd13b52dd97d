import { expect, test } from "vitest";
import { createUnproven } from "./unproven.ts";

function create() {
  const unproven = createUnproven();
  const heard: string[] = [];
  const tell = unproven.durably(async (what: string) => void heard.push(what));
  const lost = async (above: number) => {
    heard.length = 0;
    await unproven.lost(above);
    return heard;
  };
  return { unproven, tell, lost };
}

test("what was told after the last number that Redis knows is told again", async () => {
  const { unproven, tell, lost } = create();
  await tell("a");
  unproven.asking()(10);
  await tell("b");
  unproven.asking()(20);
  await tell("c");
  expect(await lost(10)).toEqual(["b", "c"]);
  // It has no proof again until the next number.
  expect(await lost(30)).toEqual(["b", "c"]);
  unproven.asking()(31);
  expect(await lost(31)).toEqual([]);
});

test("a number proves only what was told before it was asked for", async () => {
  const { unproven, tell, lost } = create();
  await tell("before");
  const answered = unproven.asking();
  await tell("meanwhile");
  answered(10);
  expect(await lost(10)).toEqual(["meanwhile"]);
});

test("what was proved by a number that is saved is forgotten", async () => {
  const { unproven, tell, lost } = create();
  await tell("a");
  unproven.asking()(10);
  await tell("b");
  unproven.asking()(20);
  unproven.saved(10);
  expect(await lost(5)).toEqual(["b"]);
});

test("what is being told during a loss is told again as a whole", async () => {
  const unproven = createUnproven();
  const heard: string[] = [];
  const gate = Promise.withResolvers<void>();
  const telling = unproven.durably(async (...parts: string[]) => {
    for (const part of parts) {
      heard.push(part);
      if (part === "1") await gate.promise;
    }
    return heard.length;
  })("1", "2");
  await unproven.lost(0);
  gate.resolve();
  expect(await telling).toBe(2);
  expect(heard).toEqual(["1", "2", "1", "2"]);
});

test("an answer is returned, and what fails is not told again", async () => {
  const { unproven, lost } = create();
  expect(await unproven.durably(async (n: number) => n + 1)(1)).toBe(2);
  const failing = unproven.durably(() => Promise.reject(new Error("away")));
  await expect(failing()).rejects.toThrow("away");
  await expect(lost(0)).resolves.toEqual([]);
});
