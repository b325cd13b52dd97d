import { HORIZONS_KIND, horizonsId, type HorizonsOfDay } from "@tranche/shared/protocol/feed/horizons-of-day";
import { epochKey } from "@tranche/shared/protocol/feed/keys";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { storeHorizonsOnce } from "../apps/indexer/feed-serving/store-horizons.ts";
import { withService } from "./support/with-service.ts";
import { company, deletion, round } from "./support/writes.ts";
import { fetchUnlessBusy } from "./support/unless-busy.ts";

// The clock for signals and dates stands still; positions by time use the real one.
const { service, queues, client, names } = withService({ start: ["indexer", "api"], now: "2025-06-15T12:00:00Z" });

type Change = { change: "upsert" | "remove"; id: string; row?: { id: string } };
type Page = { data: Change[]; next: string; has_more: boolean };

const MINUTE = 60_000;
const DAY = 86_400_000;
const index = names.control;
const PATH = "/funding/changes?country=DE&limit=2";
const iso = (time: number) => new Date(time).toISOString();
const dayOf = (time: number) => iso(time).slice(0, 10);

let keys: Record<"scale" | "starter", string>;
/** When the indexer noted the first horizon. */
let begun: number;
beforeAll(async () => {
  keys = { scale: await service.key("scale"), starter: await service.key("starter") };
  await vi.waitUntil(noted, { timeout: 10_000 });
  begun = await firstNoted();
  await write(company(1, "c1", { country: "DE" }), round(1, "r1", "c1"), round(1, "r2", "c1"), round(1, "r3", "c1"));
});

/** The newest day with notes. */
async function noted(): Promise<HorizonsOfDay | undefined> {
  await client.indices.refresh({ index });
  const query = { term: { kind: HORIZONS_KIND } };
  const { hits } = await client.search<HorizonsOfDay>({ index, query, sort: [{ id: "desc" }] });
  return hits.hits[0]?._source;
}

/** The time of the first note, which has passed: a note has the next full second. */
async function firstNoted(): Promise<number> {
  const { id, seconds } = (await noted())!;
  const time = Date.parse(id) + seconds[0]! * 1000;
  await vi.waitUntil(() => Date.now() > time, { timeout: 5000 });
  return time;
}

async function write(...writes: Parameters<typeof queues.send>[0]) {
  await queues.send(writes, 1);
  await queues.settled();
}

async function get(path: string, plan: keyof typeof keys): Promise<{ status: number; body: unknown }> {
  const response = await fetchUnlessBusy(service.base + path, { headers: { Authorization: `Bearer ${keys[plan]}` } });
  return { status: response.status, body: await response.json() };
}

/** All changes since a position or time, in pages. */
async function changesSince(since: string, plan: keyof typeof keys): Promise<Change[]> {
  const all: Change[] = [];
  for (let position = since; ;) {
    const { status, body } = await get(`${PATH}&since=${position}`, plan);
    expect(status, JSON.stringify(body)).toBe(200);
    const { data, next, has_more } = body as Page;
    all.push(...data);
    if (!has_more) return all;
    position = next;
  }
}

const listed = async () => {
  const { body } = await get("/funding?country=DE&limit=25", "scale");
  return new Map((body as { data: { id: string }[] }).data.map((row) => [row.id, row]));
};

test("a time in the future is refused, and one of another form with both forms", async () => {
  const future = await get(`${PATH}&since=${iso(Date.now() + 60 * MINUTE)}`, "scale");
  expect(future).toMatchObject({
    status: 400,
    body: { error: { details: [{ parameter: "since", code: "out_of_range" }] } },
  });
  const malformed = await get(`${PATH}&since=2026-03-14`, "scale");
  expect(malformed).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/RFC 3339.*`next`/) as string } },
  });
});

test("a time of more than 30 days ago, or from before the data's beginning, is expired on every plan", async () => {
  for (const plan of ["scale", "starter"] as const) {
    for (const time of [Date.now() - 31 * DAY, begun - 1000]) {
      const answer = await get(`${PATH}&since=${iso(time)}`, plan);
      expect(answer).toMatchObject({ status: 410, body: { error: { code: "position_expired" } } });
    }
  }
});

test("a time before the oldest change sends all as the start does, which plans without exports are refused", async () => {
  const changes = await changesSince(iso(begun), "scale");
  expect(changes.map(({ change, id }) => `${change} ${id}`).toSorted()).toEqual([
    "upsert r1",
    "upsert r2",
    "upsert r3",
  ]);
  const refused = await get(`${PATH}&since=${iso(begun)}`, "starter");
  expect(refused).toMatchObject({ status: 403, body: { error: { code: "plan_forbidden" } } });
});

describe("a time after the oldest change", () => {
  let since: number;
  const copies = { scale: new Map<string, unknown>(), starter: new Map<string, unknown>() };
  beforeAll(async () => {
    // As if the epoch had begun after the first data.
    await client.delete({ index, id: horizonsId((await noted())!.id) });
    await storeHorizonsOnce({ client, names, redis: queues.redis, namespace: service.namespace });
    since = await firstNoted();
    for (const copy of Object.values(copies)) for (const [id, row] of await listed()) copy.set(id, row);
    await write(round(2, "r2", "c1", { deal_type: "series_a" }), deletion(2, "round", "r3"), round(2, "r4", "c1"));
    await write(company(3, "c2", { country: "FR" }), round(3, "r4", "c2"), round(3, "r5", "c1"));
    // The API may have read the notes before.
    const isKnown = async () => (await get(`${PATH}&since=${iso(since)}`, "starter")).status === 200;
    await vi.waitUntil(isKnown, { timeout: 15_000, interval: 500 });
  });

  test.each(["scale", "starter"] as const)("brings a copy up to date on the plan %s", async (plan) => {
    const copy = copies[plan];
    const changes = await changesSince(iso(since), plan);
    for (const { change, id, row } of changes) {
      if (change === "upsert") copy.set(id, row);
      else copy.delete(id);
    }
    expect(copy).toEqual(await listed());
    expect([...copy.keys()].toSorted()).toEqual(["r1", "r2", "r5"]);
    expect(changes.map(({ id }) => id)).not.toContain("r1");
  });

  test("still brings it up to date when everything has changed since then", async () => {
    const copy = new Map<string, unknown>(await listed());
    const then = Date.now();
    await vi.waitUntil(() => Date.now() > then + 1);
    await write(company(4, "c1", { country: "DE", name: "Renamed" }), deletion(4, "round", "r2"));
    await write(round(4, "r3", "c1"), deletion(5, "round", "r3"), round(5, "r4", "c1"));
    // The API may have read the oldest change before.
    const isBeforeAll = async () => (await get(`${PATH}&since=${iso(then)}`, "starter")).status === 403;
    await vi.waitUntil(isBeforeAll, { timeout: 15_000, interval: 500 });
    for (const { change, id, row } of await changesSince(iso(then), "scale")) {
      if (change === "upsert") copy.set(id, row);
      else copy.delete(id);
    }
    expect(copy).toEqual(await listed());
    expect([...copy.keys()].toSorted()).toEqual(["r1", "r4", "r5"]);
  });

  test("is expired after a restore of the data", async () => {
    const afterRestore = async () => {
      // Set again and again, because the indexer shows the stored state every 30 s.
      await queues.redis.set(epochKey(service.namespace), "restored");
      return get(`${PATH}&since=${iso(since)}`, "scale");
    };
    const expired = { status: 410, body: { error: { code: "position_expired" } } };
    await expect.poll(afterRestore).toMatchObject(expired);
  });
});

test("the first note of a day deletes those that no position needs", async () => {
  const [today, old] = [dayOf(Date.now()), dayOf(Date.now() - 40 * DAY)];
  const yesterday = dayOf(Date.now() - DAY);
  for (const id of [old, yesterday])
    await client.index({ index, id: horizonsId(id), document: { kind: HORIZONS_KIND, id }, refresh: true });
  await client.delete({ index, id: horizonsId(today), refresh: true }, { ignore: [404] });
  await storeHorizonsOnce({ client, names, redis: queues.redis, namespace: service.namespace });
  const there = async (id: string) => client.exists({ index, id: horizonsId(id) });
  expect([await there(old), await there(yesterday), await there(today)]).toEqual([false, true, true]);
});
