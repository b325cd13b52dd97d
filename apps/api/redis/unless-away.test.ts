import { expect, test, vi } from "vitest";
import type { Outage } from "./outage.ts";
import { RedisAway } from "./silence-timeout.ts";
import { evenIfAway, unlessAway } from "./unless-away.ts";

function outageOf(): Outage {
  let away = false;
  return { lasts: () => (away ? 4200 : undefined), begins: () => void (away = true), beforeBack: () => {} };
}

test("a request that Redis does not answer begins an outage, and the next one does not wait for Redis", async () => {
  const outage = outageOf();
  const ask = vi.fn<() => Promise<never>>().mockRejectedValue(new RedisAway("no answer within 250 ms"));
  await expect(unlessAway(outage, ask)).rejects.toMatchObject({ code: "unavailable" });
  await expect(unlessAway(outage, ask)).rejects.toMatchObject({
    code: "unavailable",
    cause: { message: "Redis has been away for 4 s" },
  });
  expect(ask).toHaveBeenCalledTimes(1);
});

test("answers and errors of Redis itself are passed on and begin no outage", async () => {
  const outage = outageOf();
  expect(await unlessAway(outage, async () => 1)).toBe(1);
  await expect(unlessAway(outage, () => Promise.reject(new Error("ERR wrong")))).rejects.toThrow("ERR wrong");
  expect(outage.lasts()).toBeUndefined();
});

test("what may be asked twice is asked once more when Redis is back after a moment, and nothing else is", async () => {
  const outage = outageOf();
  const answers = [() => Promise.reject(new RedisAway("no answer within 250 ms")), async () => 1];
  const ask = vi.fn<() => Promise<number>>(() => answers.shift()!());
  const back = () => Object.assign(outage, outageOf());
  const found = evenIfAway(() => unlessAway(outage, ask));
  setTimeout(back, 100);
  expect(await found).toBe(1);
  const refused = vi.fn<() => Promise<never>>().mockRejectedValue(new Error("ERR wrong"));
  await expect(evenIfAway(() => unlessAway(outage, refused))).rejects.toThrow("ERR wrong");
  expect(refused).toHaveBeenCalledTimes(1);
});

test("in a longer outage nothing is retried", async () => {
  const ask = vi.fn<() => Promise<never>>(() =>
    unlessAway({ ...outageOf(), lasts: () => 4200 }, () => Promise.reject()),
  );
  await expect(evenIfAway(ask)).rejects.toMatchObject({ status: 503 });
  expect(ask).toHaveBeenCalledTimes(1);
});
