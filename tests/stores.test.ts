import { createSearchClient } from "@tranche/shared/engines/search/client";
import { writeBulk } from "@tranche/shared/engines/search/bulk";
import { addMissingReplicas, ensureIndices } from "@tranche/read-models/indices/creation";
import { indexNames, READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { untilSearchable } from "@tranche/shared/engines/search/searchable";
import { createQueueConnection } from "@tranche/shared/protocol/queue/connection";
import { moveRoles, readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { searchAhead, searchAll, searchKeys } from "@tranche/shared/engines/search/search-all";
import { createTicketClock, ticketKey } from "@tranche/shared/protocol/ticket/ticket-clock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENGINES } from "./support/engines.ts";
import { startCuttingDoor } from "./support/cut-answers.ts";

const namespace = `stores${Date.now()}`;
const names = indexNames(namespace);
const client = createSearchClient({ url: ENGINES.elasticsearchUrl }, { connections: 8, requestTimeoutMs: 30_000 });
const redis = createQueueConnection(ENGINES.redisUrl, "test");

beforeAll(() => ensureIndices(client, names, { shards: 1, replicas: 0 }));
afterAll(async () => {
  await client.close();
  redis.disconnect();
});

describe("the ticket clock", () => {
  const clock = (onLost: () => Promise<void> = async () => {}) =>
    createTicketClock({
      redis,
      client,
      controlIndex: names.control,
      redisKey: ticketKey(namespace),
      onLost,
    });

  test("gives every number once, each taker's in order", async () => {
    const clocks = [clock(), clock(), clock()];
    const taken = await Promise.all(
      clocks.map(async ({ take }) => {
        const mine: number[] = [];
        for (let i = 0; i < 200; i++) mine.push(await take());
        return mine;
      }),
    );
    for (const mine of taken) expect(mine).toEqual(mine.toSorted((a, b) => a - b));
    expect(new Set(taken.flat()).size).toBe(600);
  });

  test("gives blocks that nobody else has a part of", async () => {
    const { take, takeVersions } = clock();
    const first = await takeVersions(500);
    expect(await take()).toBeGreaterThanOrEqual(first + 500);
  });

  test("that Redis lost continues above every number given, and reports the loss", async () => {
    const before = await clock().take();
    await redis.del(ticketKey(namespace));
    let lost = 0;
    const after = await clock(async () => void lost++).take();
    expect(after).toBeGreaterThan(before);
    expect(lost).toBe(1);
  });

  test("is made once for a new installation, and nothing is lost then", async () => {
    const other = indexNames(`${namespace}b`);
    await ensureIndices(client, other, { shards: 1, replicas: 0 });
    const fresh = createTicketClock({
      redis,
      client,
      controlIndex: other.control,
      redisKey: ticketKey(`${namespace}b`),
      onLost: () => Promise.reject(new Error("nothing was there to lose")),
    });
    expect(await fresh.take()).toBeGreaterThan(0);
  });
});

describe("the first indices of the read models", () => {
  const other = indexNames(`${namespace}f`);
  const layout = { shards: 1, replicas: 0 };

  test("are named after the time at which they were created, and only one process creates them", async () => {
    const began = Date.now();
    await Promise.all(Array.from({ length: 4 }, () => ensureIndices(client, other, layout)));
    await ensureIndices(client, other, layout);
    const roles = await readIndexRoles(client, other);
    for (const model of READ_MODELS) {
      const found = await client.indices.getAlias({ index: `${other.role(model, "live")}-*` });
      expect(Object.keys(found)).toEqual([roles[model].live]);
      const time = /-(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d)(\d{3})z$/.exec(roles[model].live!)!.slice(1);
      const [year, month, day, hour, minute, second, ms] = time.map(Number);
      const at = Date.UTC(year!, month! - 1, day, hour, minute, second, ms);
      expect(at).toBeGreaterThanOrEqual(began);
      expect(at).toBeLessThanOrEqual(Date.now());
    }
  });

  test("and the stores get the replicas that they lack, and lose none", async () => {
    const indices = await ensureIndices(client, other, layout);
    const replicas = async () => {
      const found = await client.indices.getSettings({ index: indices });
      return new Set(Object.values(found).map(({ settings }) => settings!.index!.number_of_replicas));
    };
    for (const [wanted, had] of [
      [2, "2"],
      [1, "2"],
      [0, "2"],
    ] as const) {
      await addMissingReplicas(client, indices, wanted);
      expect(await replicas()).toEqual(new Set([had]));
    }
  });

  test("of an earlier version get the fields that they lack", async () => {
    const earlier = indexNames(`${namespace}old`);
    await client.indices.create({
      index: earlier.accounts,
      mappings: { dynamic: false, properties: { kind: { type: "keyword" } } },
    });
    await ensureIndices(client, earlier, { shards: 1, replicas: 0 });
    const { [earlier.accounts]: index } = await client.indices.getMapping({ index: earlier.accounts });
    expect(index!.mappings.properties).toMatchObject({ kind: { type: "keyword" }, member: { type: "keyword" } });
    expect(index!.mappings.dynamic).toBe("false");
  });

  test("stay as they are where an installation has them under another name", async () => {
    const older = indexNames(`${namespace}g`);
    const first = older.generation("funding", new Date(0));
    await client.indices.create({
      index: first,
      settings: { number_of_replicas: 0 },
      aliases: { [older.role("funding", "live")]: {} },
    });
    await ensureIndices(client, older, layout);
    expect((await readIndexRoles(client, older)).funding).toEqual({ live: first });
  });
});

describe("a bulk", () => {
  const index = names.record("company");
  const item = (id: string, number: number, document: object = { id }) => ({
    index,
    id,
    document,
    version: { number, type: "external" as const },
  });

  test("says of every item what became of it", async () => {
    expect(await writeBulk(client, [item("a", 5), item("b", 5)])).toEqual(["done", "done"]);
    const results = await writeBulk(client, [item("a", 4), item("c", 1), item("d".repeat(600), 1), item("b", 6)]);
    expect(results.map((result) => (typeof result === "object" ? "rejected" : result))).toEqual([
      "superseded",
      "done",
      "rejected",
      "done",
    ]);
    expect(results[2]).toMatchObject({ rejected: expect.stringContaining("512") });
  });

  test("in many parts keeps the order of its results", async () => {
    const padding = "x".repeat(100_000);
    const items = Array.from({ length: 100 }, (_, n) =>
      item(`big-${n}`, n % 10 === 0 ? 2 : 1, { id: `big-${n}`, padding }),
    );
    await writeBulk(
      client,
      items.filter((_, n) => n % 2 === 0).map((one) => ({ ...one, version: { number: 5, type: "external" as const } })),
    );
    const results = await writeBulk(client, items);
    expect(results).toEqual(items.map((_, n) => (n % 2 === 0 ? "superseded" : "done")));
  });

  test("to an index that has no such alias creates none", async () => {
    const gone = names.ownAlias(names.generation("funding", new Date()));
    expect(await writeBulk(client, [{ index: gone, id: "a", document: {} }], { requireAlias: true })).toEqual([
      "alias_missing",
    ]);
    expect(await client.indices.exists({ index: gone })).toBe(false);
  });
});

describe("indices that another process has only just created", () => {
  const other = indexNames(`${namespace}c`);
  const index = other.control;
  /** A node that has to hold the index: one that is not there leaves it without a shard, as it is while it is made. */
  const HELD_TO = "index.routing.allocation.require._name";
  let indices: string[];

  beforeAll(async () => {
    await client.indices.create({
      index,
      settings: { [HELD_TO]: "nobody", number_of_replicas: 0 },
      wait_for_active_shards: 0,
    });
    indices = await ensureIndices(client, other, { shards: 1, replicas: 0 });
  });

  test("are named when they stay away", async () => {
    expect(await untilSearchable(client, indices, 1)).toEqual([index]);
  });

  test("are waited for until they can be searched", async () => {
    await expect(client.count({ index })).rejects.toMatchObject({ meta: { statusCode: 503 } });
    const waiting = untilSearchable(client, indices, 30);
    await client.indices.putSettings({ index, settings: { [HELD_TO]: null } });
    expect(await waiting).toEqual([]);
    expect((await client.count({ index })).count).toBe(0);
  });

  test("are waited for while they are yellow and have no shard yet", async () => {
    // More than the engine makes shards for at once.
    const many = Array.from({ length: 20 }, (_, n) => `${namespace}-many-${n}`);
    const settings = { number_of_replicas: 1 };
    await Promise.all(many.map((each) => client.indices.create({ index: each, settings, wait_for_active_shards: 0 })));
    expect(await untilSearchable(client, many, 30)).toEqual([]);
    const counts = await Promise.all(many.map((each) => client.count({ index: each })));
    expect(counts.every(({ count }) => count === 0)).toBe(true);
    await client.indices.delete({ index: many });
  });
});

async function pagesOf<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

describe("a search of everything", () => {
  const index = names.record("investor");
  const ids = Array.from({ length: 25 }, (_, n) => `investor-${String(n).padStart(2, "0")}`);
  const everything = { index, query: { match_all: {} }, sort: ["id"], source: true, pageSize: 10 };

  beforeAll(async () => {
    await writeBulk(
      client,
      ids.toReversed().map((id) => ({ index, id, document: { id, name: `Investor ${id} of many` } })),
    );
    await client.indices.refresh({ index });
  });

  test("that is read ahead finds the current documents, in order", async () => {
    const ahead = await searchAhead<{ id: string }>(client, everything);
    const pages = await pagesOf(ahead.pages());
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
    expect(pages).toEqual(await pagesOf(searchAll(client, everything)));
    expect(pages.flat().map(({ id }) => id)).toEqual(ids);
  });

  test("that is cut off in the middle of an answer is read again", async () => {
    const door = await startCuttingDoor(ENGINES.elasticsearchUrl, 2, 700);
    const throughDoor = createSearchClient({ url: door.url }, { connections: 1, requestTimeoutMs: 30_000 });
    const ahead = await searchAhead<{ id: string }>(throughDoor, everything);
    expect(door.cuts).toBe(0);
    expect((await pagesOf(ahead.pages())).flat().map(({ id }) => id)).toEqual(ids);
    await throughDoor.close();
    door.close();
  });

  test("that the engine refuses is not tried again", async () => {
    await expect(searchAhead(client, { ...everything, sort: ["no_such_field"] })).rejects.toMatchObject({
      meta: { statusCode: 400 },
    });
  });

  test("for keys gives them alone, in order", async () => {
    const pages = await pagesOf(
      searchKeys(client, { index, query: { range: { id: { gt: ids[4]! } } }, field: "id", pageSize: 10 }),
    );
    expect(pages).toEqual([ids.slice(5, 15), ids.slice(15)]);
  });
});

describe("roles of indices", () => {
  test("move all at once, or not at all when one is not where it was expected", async () => {
    const { funding } = await readIndexRoles(client, names);
    const other = names.generation("funding", new Date());
    await client.indices.create({ index: other, aliases: { [names.ownAlias(other)]: {} } });
    const swap = (from: string) =>
      moveRoles(client, names, [
        { model: "funding", role: "building", from, to: undefined },
        { model: "funding", role: "live", from: funding.live, to: from },
      ]);
    expect(await swap(other)).toBe(false);
    expect(await readIndexRoles(client, names)).toMatchObject({ funding: { live: funding.live } });
    expect(await moveRoles(client, names, [{ model: "funding", role: "building", to: other }])).toBe(true);
    expect(await swap(other)).toBe(true);
    expect(await readIndexRoles(client, names)).toMatchObject({ funding: { live: other } });
    expect(await moveRoles(client, names, [{ model: "funding", role: "live", from: other, to: funding.live }])).toBe(
      true,
    );
  });
});
