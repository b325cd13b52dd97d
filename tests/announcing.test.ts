import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createRandom } from "./drills/random.ts";
import { createSmallWorld, type Doing } from "./support/small-world.ts";

/** Of twenty thousand those in which a rule less strict went wrong: no mark for several writers, or the last writer's ticket instead of the highest. */
const TRICKY = [1994, 4149, 10_139, 14_878];
const SEEDS = [...Array.from({ length: 500 }, (_, i) => i + 1), ...TRICKY];
const STEPS = 300;
const WRITERS = 4;
const READERS = 4;

let redis: Redis;
beforeAll(() => {
  redis = new Redis(inject("redisUrl"));
});
afterAll(() => redis.disconnect());

/** Lets writers and readers go on in an order that chance draws; writers may be killed between any two of their steps. */
async function run(seed: number) {
  const random = createRandom(seed);
  const world = createSmallWorld(redis, `announcing-${randomUUID()}`, random);
  const writers: { doing: Doing; kill?: () => Doing[] }[] = [];
  const readers: Doing[] = [];
  for (let step = 0; step < STEPS; step++) {
    if (writers.length < WRITERS && random.chance(0.4)) writers.push(world.job());
    if (readers.length < READERS && random.chance(0.6)) readers.push(world.read());
    const one = random.below(writers.length + readers.length || 1);
    const writer = writers[one];
    if (writer?.kill && random.chance(0.03)) {
      writers.splice(one, 1, ...writer.kill().map((doing) => ({ doing })));
    } else if (writer) {
      if ((await writer.doing.next()).done) writers.splice(one, 1);
    } else {
      const reader = one - writers.length;
      if ((await readers[reader]?.next())?.done) readers.splice(reader, 1);
    }
  }
  return world.figures;
}

test("no kept page is older than what a finished job wrote, whoever writes beside whom and dies where", async () => {
  const all = await Promise.all(SEEDS.map(run));
  const wrong = all.flatMap(({ wrong: found }, i) => found.map((what) => `seed ${SEEDS[i]}: ${what}`));
  expect(wrong).toEqual([]);
  // Pages were kept, and changes were listed, or this would prove nothing.
  expect(all.reduce((sum, { kept }) => sum + kept, 0)).toBeGreaterThan(5 * SEEDS.length);
  expect(all.reduce((sum, { listed }) => sum + listed, 0)).toBeGreaterThan(SEEDS.length);
});
