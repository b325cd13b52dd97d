import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

test("two at a time; those that would wait too long are refused, and there is room again after an end", async () => {
  const turns = createTurns();
  const ends: (() => void)[] = [];
  let running = 0;
  const work = async () => {
    running++;
    await new Promise<void>((resolve) => ends.push(resolve));
    return --running;
  };
  const waiting = Array.from({ length: 22 }, () => turns(work));
  await expect.poll(() => running).toBe(2);
  await expect(turns(work)).rejects.toMatchObject({ status: 503 });
  ends.shift()!();
  await waiting[0];
  await expect.poll(() => running).toBe(2);
  waiting.push(turns(work));
  while (ends.length > 0) {
    ends.shift()!();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await Promise.all(waiting)).length).toBe(23);
});
