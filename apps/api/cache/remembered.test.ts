import { expect, test } from "vitest";
import { createRemembered, entryKeyOf } from "./remembered.ts";

const create = (maxBytes = 10_000) => createRemembered<{ made: number }>({ maxBytes, bytesOf: () => 100 });

test("a thousand who ask at once share one making", async () => {
  const remembered = create();
  let made = 0;
  const make = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { made: ++made };
  };
  const answers = await Promise.all(Array.from({ length: 1000 }, () => remembered("1", "a", make)));
  expect(new Set(answers.map((answer) => answer.made))).toEqual(new Set([1]));
});

test("another generation or another key is made afresh", async () => {
  const remembered = create();
  let made = 0;
  const make = async () => ({ made: ++made });
  await remembered("1", "a", make);
  expect(await remembered("1", "a", make)).toEqual({ made: 1 });
  expect(await remembered("2", "a", make)).toEqual({ made: 2 });
  expect(await remembered("2", "b", make)).toEqual({ made: 3 });
});

test("without a generation nothing is remembered", async () => {
  const remembered = create();
  let made = 0;
  const make = async () => ({ made: ++made });
  await remembered(undefined, "a", make);
  expect(await remembered(undefined, "a", make)).toEqual({ made: 2 });
});

test("what fails is made again", async () => {
  const remembered = create();
  await expect(remembered("1", "a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await remembered("1", "a", async () => ({ made: 7 }))).toEqual({ made: 7 });
});

test("what is finished is told without waiting, what is being made is not there yet", async () => {
  const remembered = create();
  const made = remembered("1", "a", async () => ({ made: 1 }));
  expect(remembered.finished(entryKeyOf("1", "a"))).toBeUndefined();
  await made;
  expect(remembered.finished(entryKeyOf("1", "a"))).toEqual({ made: 1 });
  expect(remembered.finished(entryKeyOf("2", "a"))).toBeUndefined();
  expect(remembered.finished(entryKeyOf(undefined, "a"))).toBeUndefined();
});

test("memory is bounded: the least recently used goes", async () => {
  const remembered = create(350);
  let made = 0;
  const make = async () => ({ made: ++made });
  for (const key of ["a", "b", "c", "d"]) await remembered("1", key, make);
  expect(await remembered("1", "a", make)).toEqual({ made: 5 });
});
