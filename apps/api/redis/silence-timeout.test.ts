import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSilenceTimeout, RedisAway } from "./silence-timeout.ts";

const never = () => new Promise<never>(() => {});

test("a reply is passed on", async () => {
  expect(await createSilenceTimeout(20)(Promise.resolve(1))).toBe(1);
});

test("silence rejects all waiting commands", async () => {
  const withTimeout = createSilenceTimeout(20);
  const start = performance.now();
  const outcomes = await Promise.allSettled([withTimeout(never()), withTimeout(never())]);
  expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason instanceof RedisAway)).toEqual([
    true,
    true,
  ]);
  expect(performance.now() - start).toBeGreaterThanOrEqual(19);
});

test("no command is rejected while others get replies", async () => {
  const withTimeout = createSilenceTimeout(40);
  const answers = Array.from({ length: 10 }, (_, n) => withTimeout(pause(15 * (n + 1), n)));
  expect(await Promise.all(answers)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("a reply that came in time is read before any command is rejected, however busy the process was", async () => {
  const withTimeout = createSilenceTimeout(20);
  const { promise, resolve } = Promise.withResolvers<string>();
  const answer = withTimeout(promise);
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

test("an error reply is a reply; a broken connection is an outage", async () => {
  const withTimeout = createSilenceTimeout(20);
  const refused = Object.assign(new Error("ERR wrong"), { name: "ReplyError" });
  await expect(withTimeout(Promise.reject(refused))).rejects.toBe(refused);
  await expect(withTimeout(Promise.reject(new Error("Connection is closed.")))).rejects.toBeInstanceOf(RedisAway);
});
