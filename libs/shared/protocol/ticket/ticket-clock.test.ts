import type { Client } from "@elastic/elasticsearch";
import { expect, test } from "vitest";
import type { RedisClient } from "../../engines/redis/connect.ts";
import type { RedisHistory } from "./redis-history.ts";
import { createTicketClock, type HistoryEvents } from "./ticket-clock.ts";

/** Both engines as far as the clock needs them, in memory. `restart`: another Redis, which has come to a number. */
function engines() {
  const redis = { clock: undefined as number | undefined, identity: "1" };
  const documents = new Map<string, { _source: unknown; _seq_no: number }>();
  const client = {
    get: async ({ id }: { id: string }) => ({ found: documents.has(id), _primary_term: 1, ...documents.get(id) }),
    index: async (write: { id: string; document: unknown; if_seq_no?: number }) => {
      const seqNo = documents.get(write.id)?._seq_no;
      if (seqNo !== write.if_seq_no) return { statusCode: 409 };
      documents.set(write.id, { _source: structuredClone(write.document), _seq_no: (seqNo ?? 0) + 1 });
      return { statusCode: 200, body: { _seq_no: (seqNo ?? 0) + 1, _primary_term: 1 } };
    },
  };
  const connection = {
    defineCommand: () => {},
    get: async () => (redis.clock === undefined ? null : String(redis.clock)),
    set: async (_: string, value: string) => void (redis.clock ??= Number(value)),
    async continueAbove(_: string, least: string, identity: string) {
      if (redis.identity !== identity) return -1;
      return (redis.clock = Math.max(redis.clock!, Number(least)));
    },
    async takeTickets(_: string, ceiling: string, count: number, identity: string, known: string) {
      if (redis.clock === undefined) return [-1, 0, redis.identity];
      if (redis.identity !== identity || redis.clock < Number(known)) return [-3, redis.clock, redis.identity];
      if (redis.clock + count > Number(ceiling)) return [-2, redis.clock + count];
      redis.clock += count;
      return [redis.clock - count + 1, redis.clock];
    },
  };
  return {
    redis,
    history: () => documents.get("redis-history")!._source as RedisHistory,
    restart: (identity: string, clock = redis.clock!) => Object.assign(redis, { identity, clock }),
    clockOf: (writer: string, events: Partial<HistoryEvents> = {}) =>
      createTicketClock({
        redis: connection as unknown as RedisClient,
        client: client as unknown as Client,
        controlIndex: "control",
        redisKey: "clock",
        writer,
        onLost: async () => {},
        ...events,
      }),
  };
}

test("a process that examines a Redis beside another one keeps what that one has noted", async () => {
  const { clockOf, restart, history } = engines();
  const looked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<boolean>();
  const one = clockOf("one", { hasNotedJobs: () => (looked.resolve(), gate.promise) });
  const other = clockOf("other");
  for (const clock of [one, other]) await clock.take();
  await one.take();
  restart("2");
  const taking = one.take();
  await looked.promise;
  await other.take();
  // It finds what the other process has noted, in the middle of the examination.
  await one.saveClock();
  gate.resolve(true);
  await taking;
  expect(history().writers).toEqual([{ id: "other" }, { id: "one" }]);
  expect(history().lost).toHaveLength(1);
});

test("a Redis that takes over in the middle of an examination is examined itself", async () => {
  const { clockOf, restart, history, redis } = engines();
  const one = clockOf("one", {
    hasNotedJobs: async () => {
      if (redis.identity === "2") restart("3", 3);
      return true;
    },
  });
  for (let taken = 0; taken < 5; taken++) await one.take();
  restart("2");
  expect(await one.take()).toBeGreaterThan(5);
  expect(Math.min(...history().lost!.map(({ above }) => above))).toBe(3);
});

test("lost numbers that another process has forgotten are forgotten", async () => {
  const { clockOf, restart } = engines();
  const [one, other] = [clockOf("one"), clockOf("other")];
  for (const clock of [one, other]) await clock.take();
  restart("2");
  for (const clock of [one, other]) await clock.take();
  expect(one.lostNumbers()).toHaveLength(1);
  await other.forgetLost(other.lostNumbers());
  await one.forgetLost(one.lostNumbers());
  expect(one.lostNumbers()).toEqual([]);
});

test("a number that another process has saved proves what was told before, too", async () => {
  const { clockOf, restart, redis } = engines();
  const [one, other] = [clockOf("one"), clockOf("other")];
  const told: string[] = [];
  const tell = one.durably(async (what: string) => void told.push(what));
  for (const clock of [one, other]) await clock.take();
  await one.saveClock();
  const before = redis.clock!;
  await tell("early");
  await one.take();
  await other.take();
  await other.saveClock();
  await one.saveClock();
  await tell("late");
  restart("2", before);
  await one.take();
  await one.end();
  expect(told).toEqual(["early", "late", "late"]);
});

test("a process ends after what may be lost was told again", async () => {
  const { clockOf, restart, history } = engines();
  const one = clockOf("one");
  const gate = Promise.withResolvers<void>();
  let told = 0;
  const tell = one.durably(async () => {
    if (++told > 1) await gate.promise;
  });
  await one.take();
  await tell();
  restart("2");
  await one.take();
  const ending = one.end();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([told, history().writers]).toEqual([2, [{ id: "one" }]]);
  gate.resolve();
  await ending;
  expect(history().writers).toEqual([]);
});
