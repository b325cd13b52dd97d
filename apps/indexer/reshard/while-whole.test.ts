import type { Client } from "@elastic/elasticsearch";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { type ShardLossTimeouts, whileWhole } from "./while-whole.ts";

/** A cluster in which each index has this number of its 2 primary shards. */
const cluster = (active: () => { old: number; new: number }) => {
  const health = async () => ({
    indices: Object.fromEntries(
      Object.entries(active()).map(([index, shards]) => [
        index,
        { active_primary_shards: shards, number_of_shards: 2 },
      ]),
    ),
  });
  return { cluster: { health }, indices: { getSettings: async () => ({}) } } as unknown as Client;
};
const TIMEOUTS: ShardLossTimeouts = { lookEveryMs: 5, awayMs: 200 };
const filling = (
  active: () => { old: number; new: number },
  work: () => Promise<unknown> = () => new Promise(() => {}),
) => whileWhole(cluster(active), { from: "old", to: "new" }, work, TIMEOUTS);

/** How the work ended within `ms`. */
const endWithin = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work.catch((error: Error) => error.message), pause(ms, "continues")]);

test("work with whole indices continues and gives its result", async () => {
  expect(
    await endWithin(
      600,
      filling(() => ({ old: 2, new: 2 })),
    ),
  ).toBe("continues");
  expect(
    await filling(
      () => ({ old: 2, new: 1 }),
      async () => "done",
    ),
  ).toBe("done");
});

test("a shard of the new index that stays away ends the work, one that comes back does not", async () => {
  const lost = filling(() => ({ old: 2, new: 1 }));
  expect(await endWithin(10_000, lost)).toMatch(
    /^a shard of new was away, or its disk nearly full, for 0.2 s, and what is to be written to old/,
  );
  let looks = 0;
  expect(
    await endWithin(
      1000,
      filling(() => ({ old: 2, new: looks++ % 3 === 0 ? 2 : 1 })),
    ),
  ).toBe("continues");
});

test("while the old index lacks a shard, too, the work continues", async () => {
  expect(
    await endWithin(
      600,
      filling(() => ({ old: 1, new: 1 })),
    ),
  ).toBe("continues");
});
