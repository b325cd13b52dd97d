import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { createInTime, RedisAway } from "./in-time.ts";

const never = () => new Promise<never>(() => {});

test("an answer is passed on", async () => {
  expect(await createInTime(20)(Promise.resolve(1))).toBe(1);
});

test("silence is an outage, for all that wait", async () => {
  const inTime = createInTime(20);
  const start = performance.now();
  const outcomes = await Promise.allSettled([inTime(never()), inTime(never())]);
  expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason instanceof RedisAway)).toEqual([
    true,
    true,
  ]);
  expect(performance.now() - start).toBeGreaterThanOrEqual(19);
});

test("as long as others are answered nobody is given up", async () => {
  const inTime = createInTime(40);
  const answers = Array.from({ length: 10 }, (_, n) => inTime(pause(15 * (n + 1), n)));
  expect(await Promise.all(answers)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("an answer that came in time is read before anybody is given up, however busy the process was", async () => {
  const inTime = createInTime(20);
  const { promise, resolve } = Promise.withResolvers<string>();
  const answer = inTime(promise);
  const { port1, port2 } = new MessageChannel();
  port2.addEventListener("message", () => {
    resolve("read late");
    port1.close();
  });
  port2.start();
  port1.postMessage("");
  const until = performance.now() + 60;
  while (performance.now() < until);
  expect(await answer).toBe("read late");
});

test("what Redis refuses is an answer; a connection that breaks is none", async () => {
  const inTime = createInTime(20);
  const refused = Object.assign(new Error("ERR wrong"), { name: "ReplyError" });
  await expect(inTime(Promise.reject(refused))).rejects.toBe(refused);
  await expect(inTime(Promise.reject(new Error("Connection is closed.")))).rejects.toBeInstanceOf(RedisAway);
});
