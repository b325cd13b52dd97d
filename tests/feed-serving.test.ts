import { setTimeout as pause } from "node:timers/promises";
import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import { createFeedControlStore } from "@tranche/shared/protocol/feed/control";
import { epochKey, feedKeys, purgedKey, servedKey, shownVersionKey } from "@tranche/shared/protocol/feed/keys";
import { readFeedState } from "@tranche/shared/protocol/feed/state";
import { JOB_OPTIONS, QUEUES, UPKEEP_JOBS } from "@tranche/shared/protocol/queue/queues";
import { expect, test } from "vitest";
import { withService } from "./support/with-service.ts";
import { company, round } from "./support/writes.ts";

const { service, queues, client, names } = withService({ start: ["indexer"], now: "2025-06-15T12:00:00Z" });
const state = () => readFeedState(queues.redis, service.namespace, "funding");
const control = () => createFeedControlStore(client, names).read();
const maintain = () => queues.queue(QUEUES.upkeep).add(UPKEEP_JOBS.maintain, undefined, JOB_OPTIONS);
const run = async (...command: string[]) => {
  const { code, stderr } = await service.ops(command);
  expect(code, stderr).toBe(0);
};

async function eventually(what: string, is: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 40_000; !(await is()); await pause(200)) {
    if (Date.now() > end) throw new Error(`not within 40 s: ${what}`);
  }
}

async function settled(): Promise<void> {
  const live = await client.indices.getAlias({ name: names.role("funding", "live") });
  await eventually("readers search the live index and nothing is due", async () => {
    const read = await control();
    return read?.control.due === null && read.control.served?.funding === Object.keys(live)[0];
  });
}

const documents = async (role: "live" | "previous") => {
  const { hits } = await client.search<ChangeTickets>({ index: names.role("funding", role), size: 100 });
  return new Map(hits.hits.map((hit) => [hit._id!, hit._source!]));
};

test("the feed of a new installation is open", async () => {
  await queues.send([company(1, "c1"), round(1, "r1", "c1"), round(1, "r2", "c1")], 1);
  await queues.settled();
  const { horizon, purged } = (await state())!;
  expect(purged).toBeLessThan(horizon);
  expect(horizon).toBeGreaterThanOrEqual((await documents("live")).get("r1")!.changed);
});

test("after a rebuild, readers search the new index and their positions stay", async () => {
  const { epoch } = (await state())!;
  await run("reindex", "--wait");
  await settled();
  expect((await state())!.epoch).toBe(epoch);
});

test("after a swap or rollback, documents that differ between the two indices are published again in the live one alone", async () => {
  // As a rebuild with other rules leaves it: the previous index shows something else.
  const since = (await control())!.control.copied!.since;
  const older = (await documents("previous")).get("r1")!;
  await client.index({
    index: names.role("funding", "previous"),
    id: "r1",
    document: { ...older, deal_type: "other", changed: since + 1 },
    refresh: true,
  });
  const before = (await state())!;
  await run("rollback");
  await settled();
  const [live, previous] = [await documents("live"), await documents("previous")];
  expect(live.get("r1")).toMatchObject({ deal_type: "other", created: 0 });
  expect(live.get("r1")!.changed).toBeGreaterThan(before.horizon);
  expect(previous.get("r1")).toMatchObject({ changed: older.changed });
  expect(live.get("r2")).toEqual(previous.get("r2"));
  expect((await state())!.epoch).toBe(before.epoch);

  await run("rollback");
  await settled();
  const again = (await documents("live")).get("r1")!;
  expect(again).not.toMatchObject({ deal_type: "other" });
  expect(again.changed).toBeGreaterThan(live.get("r1")!.changed);
});

test("a Redis that went back to before a swap gives no number while readers search the other index", async () => {
  const { served } = (await control())!.control;
  const previous = Object.keys(await client.indices.getAlias({ name: names.role("funding", "previous") }))[0]!;
  const { clock } = feedKeys(service.namespace, "funding");
  const before = (await state())!;
  await queues.redis
    .multi()
    .set(clock, String(before.clock - 5_000_000))
    .set(shownVersionKey(service.namespace), "1")
    .hset(servedKey(service.namespace), "funding", previous)
    .exec();
  let now = before;
  await eventually("numbers are given again", async () => (now = (await state())!).clock > before.clock);
  expect(now.index).toBe(served?.funding);
});

test("an emptied Redis gets the state back before it gives a number, and everything counts as changed", async () => {
  const before = (await state())!;
  const { clock, held, writers, counts } = feedKeys(service.namespace, "funding");
  const shown = [servedKey, epochKey, purgedKey, shownVersionKey].map((key) => key(service.namespace));
  await queues.redis.del(clock, held, writers, counts, ...shown);
  await eventually("numbers are given again", async () => (await queues.redis.exists(clock)) === 1);
  expect((await state())?.epoch).toBe(before.epoch);
  await eventually("r2 counts as changed", async () => (await documents("live")).get("r2")!.changed > before.horizon);
});

test("what a dead writer has left noted is written again, and does not hold the feed for ever", async () => {
  await queues.settled();
  const { clock, held, writers, counts } = feedKeys(service.namespace, "funding");
  const ticket = Number(await queues.redis.get(clock));
  const long = Date.now() - 100_000;
  await queues.redis
    .multi()
    .zadd(held, ticket, ticket)
    .hset(writers, "r1", ticket)
    .hset(counts, ticket, `1 ${long}`)
    .exec();
  expect((await state())!.horizon).toBeLessThan(ticket);
  await maintain();
  await eventually("the horizon passes the ticket", async () => (await state())!.horizon > ticket);
  expect((await documents("live")).get("r1")!.changed).toBeGreaterThan(ticket);
});

test("what is gone for 30 days is purged, and positions from before that end", async () => {
  const old = Date.now() * 1000 - 31 * 86_400_000_000;
  for (const [id, changed] of [
    ["gone-1", old],
    ["gone-2", Date.now() * 1000],
  ] as const) {
    const document = { gone: true, id, changed, created: 1, content_hash: "gone", filters_hash: "gone" };
    await client.index({ index: names.role("funding", "live"), id, document, refresh: true });
  }
  await queues.queue(QUEUES.upkeep).add(UPKEEP_JOBS.purge, undefined, JOB_OPTIONS);
  await eventually("the old one is removed", async () => {
    await client.indices.refresh({ index: names.role("funding", "live") });
    return !(await documents("live")).has("gone-1");
  });
  expect((await documents("live")).has("gone-2")).toBe(true);
  const { purged, horizon } = (await state())!;
  expect(purged).toBeGreaterThan(old);
  expect(purged).toBeLessThan(horizon);
});

test("a restored Elasticsearch ends positions", async () => {
  const { epoch } = (await state())!;
  const read = (await control())!;
  await queues.redis.set(shownVersionKey(service.namespace), read.control.version + 1e15);
  await maintain();
  await eventually("another epoch is saved", async () => (await control())!.control.epoch !== epoch);
  expect((await control())!.control.version).toBeGreaterThan(read.control.version);
});
