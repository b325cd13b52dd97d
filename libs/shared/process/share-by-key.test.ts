import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { shareByKey } from "./share-by-key.ts";

let asked = 0;
const ask = async () => ++asked;
beforeEach(() => void (asked = 0));

test("concurrent calls share one answer by their key, and the next call asks anew", async () => {
  const share = shareByKey<number>();
  expect(await Promise.all([share("a", ask), share("a", ask), share("b", ask)])).toEqual([1, 1, 2]);
  expect(await share("a", ask)).toBe(3);
});

test.each([undefined, { ms: 10_000, keys: 5 }])(
  "a failure is shared while it is under way, and no longer: %j",
  async (kept) => {
    const share = shareByKey<number>(kept);
    const fails = () => ask().then(() => Promise.reject(new Error("away")));
    const both = await Promise.allSettled([share("a", fails), share("a", fails)]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await share("a", ask)).toBe(2);
  },
);

test("an answer is kept for a time from its beginning, even if it takes longer or fails later", async () => {
  const share = shareByKey<number>({ ms: 200, keys: 5 });
  const late = Promise.withResolvers<number>();
  const slow = share("a", () => late.promise);
  expect(share("a", ask)).toBe(slow);
  await pause(250);
  expect(await share("a", ask)).toBe(1);
  late.reject(new Error("away"));
  await expect(slow).rejects.toThrow("away");
  expect(await share("a", ask)).toBe(1);
});

test("answers of at most so many keys are kept, those used last", async () => {
  const share = shareByKey<number>({ ms: 10_000, keys: 2 });
  for (const key of ["a", "b", "a", "c"]) await share(key, ask);
  expect([await share("a", ask), await share("c", ask), await share("b", ask)]).toEqual([1, 3, 4]);
});
