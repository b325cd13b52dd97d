import { ensureIndices } from "@tranche/read-models/indices/creation";
import { createQueueConnection } from "@tranche/shared/protocol/queue/connection";
import { feedKeys } from "@tranche/shared/protocol/feed/keys";
import { createPendingWrites } from "@tranche/shared/protocol/feed/pending-writes";
import { readFeedState } from "@tranche/shared/protocol/feed/state";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import { createTicketClock, ticketKey } from "@tranche/shared/protocol/ticket/ticket-clock";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ENGINES } from "./support/engines.ts";

const namespace = `notes${Date.now()}`;
const names = indexNames(namespace);
const client = createSearchClient({ url: ENGINES.elasticsearchUrl }, { connections: 2, requestTimeoutMs: 30_000 });
const redis = createQueueConnection(ENGINES.redisUrl, "test");
const keys = feedKeys(namespace, "funding");
const clock = () =>
  createTicketClock({
    redis,
    client,
    controlIndex: names.control,
    redisKey: ticketKey(namespace),
    onLost: async () => {},
  });
const tickets = clock();
const notes = createPendingWrites({ redis, namespace, tickets });
const horizon = async () => (await readFeedState(redis, namespace, "funding"))!.horizon;

beforeAll(() => ensureIndices(client, names, { shards: 1, replicas: 0 }));
beforeEach(async () => {
  await redis.del(keys.held, keys.writers, keys.counts);
  await redis.hset(keys.served, "funding", "index-1");
  await redis.set(keys.epoch, "e1");
});
afterAll(async () => {
  await client.close();
  redis.disconnect();
});

test("the horizon stays below a note until it is removed, and is the last ticket given then", async () => {
  const { ticket, shared } = await notes.take({ funding: ["a", "b"], companies: ["c"] });
  expect([...shared.funding, ...shared.companies]).toEqual([]);
  const later = await tickets.take();
  expect(await horizon()).toBe(ticket - 1);
  expect(await notes.takeBack("funding", ticket, { written: ["a", "b"], left: [] })).toBe(true);
  expect(await horizon()).toBe(later);
  expect(await redis.exists(keys.held, keys.writers, keys.counts)).toBe(0);
  // That of the other read model has notes of its own.
  expect(await notes.takeBack("companies", ticket, { written: ["c"], left: [] })).toBe(true);
});

test("a writer that shares a document gets it reported: the later of two, not the first", async () => {
  const first = await notes.take({ funding: ["a", "b"] });
  const second = await notes.take({ funding: ["c", "b"] });
  expect([[...first.shared.funding], [...second.shared.funding]]).toEqual([[], ["b"]]);
});

test("what was written under a higher ticket leaves the note of a dead writer; its other documents hold the horizon", async () => {
  const dead = await notes.take({ funding: ["a", "b"] });
  const next = await notes.take({ funding: ["b"] });
  await notes.takeBack("funding", next.ticket, { written: ["b"], left: [] });
  expect(await horizon()).toBe(dead.ticket - 1);
  const last = await notes.take({ funding: ["a"] });
  await notes.takeBack("funding", last.ticket, { written: ["a"], left: [] });
  expect(await horizon()).toBe(last.ticket);
  // It was only slow: its note is still there for it.
  expect(await notes.takeBack("funding", dead.ticket, { written: ["a", "b"], left: [] })).toBe(true);
  expect(await redis.exists(keys.held, keys.writers, keys.counts)).toBe(0);
});

test("a document that was refused stays in the notes of lower tickets, and a lower ticket takes nothing from a higher one", async () => {
  const lower = await notes.take({ funding: ["a"] });
  const higher = await notes.take({ funding: ["a"] });
  await notes.takeBack("funding", higher.ticket, { written: [], left: ["a"] });
  expect(await horizon()).toBe(lower.ticket - 1);
  const highest = await notes.take({ funding: ["a"] });
  await notes.takeBack("funding", lower.ticket, { written: ["a"], left: [] });
  expect(await horizon()).toBe(highest.ticket - 1);
  await notes.takeBack("funding", highest.ticket, { written: ["a"], left: [] });
  expect(await redis.exists(keys.held, keys.writers, keys.counts)).toBe(0);
});

test("a note that Redis lost is reported, and nothing else is changed", async () => {
  const lost = await notes.take({ funding: ["a"] });
  await redis.del(keys.held, keys.writers, keys.counts);
  const other = await notes.take({ funding: ["a"] });
  expect(await notes.takeBack("funding", lost.ticket, { written: ["a"], left: [] })).toBe(false);
  expect(await horizon()).toBe(other.ticket - 1);
});

test("readers see a move when a note is taken back", async () => {
  const moves = async () => (await readFeedState(redis, namespace, "funding"))!.moves;
  const { ticket } = await notes.take({ funding: ["a"] });
  const before = await moves();
  await notes.takeBack("funding", ticket, { written: ["a"], left: [] });
  expect(await moves()).toBe(before + 1);
});

test("a clock whose Redis was not examined takes noted tickets too, above all before", async () => {
  const before = await tickets.take();
  const { ticket } = await createPendingWrites({ redis, namespace, tickets: clock() }).take({ funding: ["z"] });
  expect(ticket).toBeGreaterThan(before);
});

test("the feed is closed while nothing is served", async () => {
  await redis.hdel(keys.served, "funding");
  expect(await readFeedState(redis, namespace, "funding")).toBeUndefined();
});
