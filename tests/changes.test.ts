import { setTimeout as pause } from "node:timers/promises";
import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { handleOfKey } from "@tranche/shared/accounts/api-key";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import { accountRedisKeys } from "@tranche/shared/accounts/redis-keys";
import { decodePosition, encodePosition } from "@tranche/read-models/feed/position-text";
import { purgedKey, servedKey } from "@tranche/shared/protocol/feed/keys";
import { JOB_OPTIONS, QUEUES, UPKEEP_JOBS } from "@tranche/shared/protocol/queue/queues";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { beforeAll, expect, test } from "vitest";
import { metricsOf } from "./support/metrics.ts";
import { timing } from "./support/pauses.ts";
import { sized } from "./support/sized.ts";
import { unlessBusy } from "./support/unless-busy.ts";
import { withService } from "./support/with-service.ts";
import { company, deletion, round } from "./support/writes.ts";

const { service, queues, client, names } = withService({
  start: ["indexer", "api"],
  now: "2025-06-15T12:00:00Z",
});

type Change = { change: "upsert" | "remove"; id: string; changed_at: string; row?: Record<string, unknown> };
type Page = { data: Change[]; next: string; has_more: boolean };

/** They wait at once, ten of each account. */
const READERS = sized(200, 1000);

/** Each write is newer than all before. */
let version = 10;
let scale: string;
let starter: string;
beforeAll(async () => {
  [scale, starter] = [await service.key("scale"), await service.key("starter")];
  await write(company(1, "c1", { country: "DE" }), round(1, "r1", "c1"), round(1, "r2", "c1"), round(1, "r3", "c1"));
});

async function write(...writes: RecordWrite[]) {
  await queues.send(writes, 1);
  await queues.settled();
}

const get = (path: string, key = scale) => fetch(service.base + path, { headers: { Authorization: `Bearer ${key}` } });
async function page(path: string): Promise<Page> {
  const response = await unlessBusy(() => get(path));
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  return body as Page;
}
const refused = async (path: string, key?: string) => {
  const response = await get(path, key);
  return { status: response.status, error: ((await response.json()) as { error: object }).error };
};

/** Applies pages to a copy until its end, and returns the position there. */
async function follow(copy: Map<string, unknown>, path: string, since: string): Promise<string> {
  for (let position = since; ;) {
    const { data, next, has_more } = await page(`${path}since=${position}&limit=2`);
    for (const { change, id, row } of data) {
      if (change === "upsert") copy.set(id, row);
      else copy.delete(id);
    }
    if (!has_more) return next;
    position = next;
  }
}
const listed = async (path: string) => {
  const body = (await (await get(`${path}limit=50`)).json()) as { data: { id?: string; company?: { id: string } }[] };
  return new Map(body.data.map((row) => [row.id ?? row.company!.id, row]));
};

const LISTS = ["/funding", "/signals", "/funding?country=DE", "/funding?country=FR&deal_types=seed"];

/** A copy of a list, and the position that it has been followed to. */
type Copy = { path: string; filters: string; rows: Map<string, unknown>; position: string };
const copiesOf = (lists: readonly string[]) =>
  lists.map((list): Copy => {
    const [path = "", filters] = list.split("?");
    return { path, filters: filters ? `${filters}&` : "", rows: new Map(), position: "start" };
  });
/** Follows each list to its end, and compares the copy with it. */
async function expectEqual(copies: readonly Copy[]): Promise<void> {
  for (const copy of copies) {
    const { path, filters, rows } = copy;
    copy.position = await follow(rows, `${path}/changes?${filters}`, copy.position);
    expect([path, filters, rows]).toEqual([path, filters, await listed(`${path}?${filters}`)]);
  }
}

test("copies of lists equal them after every write, delete, move and rebuild, and so do copies that begin after all that", async () => {
  const copies = copiesOf(LISTS);
  const step = async (...writes: RecordWrite[]) => {
    await write(...writes);
    await expectEqual(copies);
  };
  await expectEqual(copies);
  await step(round(version++, "r4", "c1"));
  await step(company(version++, "c1", { country: "FR" }));
  await step(deletion(version++, "round", "r1"), round(version++, "r2", "c1", { deal_type: "series_a" }));
  await step(company(version++, "c1", { country: "DE" }), round(version++, "r1", "c1"), company(version++, "c2"));
  const { code, stderr } = await service.ops(["reindex", "--wait"]);
  expect(code, stderr).toBe(0);
  await expectEqual(copies);
  await step(deletion(version++, "company", "c2"), deletion(version++, "round", "r4"));
  await expectEqual(copiesOf(LISTS));
});

test("an export says from where to continue", async () => {
  const response = await get("/funding/export?country=DE&format=csv");
  await response.text();
  const since = response.headers.get("X-Changes-Since")!;
  expect((await page(`/funding/changes?country=DE&since=${since}`)).data).toEqual([]);
  await write(round(version++, "r9", "c1"));
  expect((await page(`/funding/changes?country=DE&since=${since}`)).data.map(({ id }) => id)).toContain("r9");
});

test("a waiting reader is answered when something comes, and an empty page costs nothing", async () => {
  const { next } = await page("/funding/changes");
  const before = await get("/usage").then((response) => response.json());
  expect((await page(`/funding/changes?since=${next}&wait=1`)).data).toEqual([]);
  expect(quotaIn(await get("/usage").then((response) => response.json()))).toBe(quotaIn(before));
  const waiting = page(`/funding/changes?since=${next}&wait=20`);
  await pause(300);
  await write(round(version++, "r8", "c1"));
  expect((await waiting).data).toMatchObject([{ change: "upsert", id: "r8", row: { id: "r8" } }]);
  expect(quotaIn(await get("/usage").then((response) => response.json()))).toBe(quotaIn(before) + 1);
});
const quotaIn = (usage: unknown) => (usage as { data: { month: { used: number } } }).data.month.used;

test("at most ten requests of an account wait at once, and all are answered when something comes", async () => {
  const key = await service.key("growth");
  const { next } = (await (await get("/funding/changes", key)).json()) as Page;
  const waiting = Array.from({ length: 10 }, () =>
    unlessBusy(() => get(`/funding/changes?since=${next}&wait=25`, key)),
  );
  const { waits } = accountRedisKeys(service.namespace, handleOfKey(key)!);
  await expect.poll(() => queues.redis.zcard(waits)).toBe(10);
  const eleventh = await refused(`/funding/changes?since=${next}&wait=25`, key);
  expect(eleventh).toMatchObject({ status: 429, error: { code: "rate_limited" } });
  await write(round(version++, "r7", "c1"));
  const answers = await Promise.all(waiting.map(async (answer) => (await (await answer).json()) as Page));
  expect(answers.map(({ data }) => data.map(({ id }) => id))).toEqual(answers.map(() => ["r7"]));
});

test("many readers that wait cost no search, and one for each filter when something comes", async () => {
  const copies = createHotCopies(queues.redis, service.namespace);
  const accounts = createAccountStore(client, names, { actor: "test", copies });
  const keys = await Promise.all(
    Array.from({ length: READERS / 10 }, async () => {
      const { account } = await accounts.createAccount({ name: "Reader", plan: "growth" });
      return (await accounts.createKey({ account, name: "reader" })).key;
    }),
  );
  const filters = ["country=DE", "deal_types=seed"];
  const positions = await Promise.all(filters.map(async (each) => (await page(`/funding/changes?${each}`)).next));
  const before = await searches();
  const waiting = keys.flatMap((key) =>
    Array.from({ length: 10 }, (_, n) =>
      unlessBusy(() => get(`/funding/changes?${filters[n % 2]}&since=${positions[n % 2]}&wait=30`, key)),
    ),
  );
  // In this time a process looks for news 50 times.
  await pause(50 * timing.feedLook);
  expect(await searches()).toBe(before);
  await write(round(version++, "r12", "c1", { deal_type: "seed" }));
  const answers = await Promise.all(waiting.map(async (answer) => (await (await answer).json()) as Page));
  expect(new Set(answers.map(({ data }) => data.map(({ id }) => id).join()))).toEqual(new Set(["r12"]));
  expect((await searches()) - before).toBe(filters.length);
});

test("a reader that waits searches at most once a second, however often something comes that it does not follow", async () => {
  const { next } = await page("/funding/changes?country=NZ");
  const before = await searches();
  const since = performance.now();
  const waiting = page(`/funding/changes?country=NZ&since=${next}&wait=3`);
  for (let n = 0; performance.now() - since < 3000; n++) {
    // Each round is new: when two jobs write one document at once, the feed can't tell whether the reader already has it.
    await queues.send([round(version++, `other-${n}`, "c1")]);
    await pause(50);
  }
  expect((await waiting).data).toEqual([]);
  const seconds = (performance.now() - since) / 1000;
  expect((await searches()) - before).toBeLessThanOrEqual(seconds + 2);
  await queues.settled();
});

/** Searches that the API has sent so far. */
async function searches(): Promise<number> {
  const metrics = await metricsOf(service.apiMetrics);
  return [...metrics.matchAll(/^tranche_search_seconds_count.* (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
}

test("a key that stops working while its request waits gets nothing", async () => {
  const made = await service.ops(["accounts", "create", "--name", "Suspended", "--plan", "growth", "--json"]);
  const { id, key } = JSON.parse(made.stdout) as { id: string; key: string };
  const { next } = (await (await get("/funding/changes", key)).json()) as Page;
  const waiting = get(`/funding/changes?since=${next}&wait=25`, key);
  await pause(500);
  const suspended = await service.ops(["accounts", "suspend", "--account", id, "--reason", "test"]);
  expect(suspended.code, suspended.stderr).toBe(0);
  await write(round(version++, "r6", "c1"));
  expect((await waiting).status).toBe(401);
});

test.each([
  ["since=abc", "since is damaged"],
  ["wait=31", "wait must be a whole number from 0 to 30"],
  ["limit=1001", "limit must be a whole number from 1 to 1000"],
  ["sort=amount_desc", "sort"],
])("%s is refused", async (query, message) => {
  const { status, error } = await refused(`/funding/changes?${query}`);
  expect({ status, ...error }).toMatchObject({
    status: 400,
    code: "invalid_parameter",
    message: expect.stringContaining(message),
  });
});

test("a position of another list or filter, and one from before a restore or a purge", async () => {
  const { next } = await page("/funding/changes?country=DE");
  for (const other of ["/funding/changes?country=FR", "/signals/changes?country=DE"]) {
    const { status, error } = await refused(`${other}&since=${next}`);
    expect({ status, error }).toMatchObject({
      status: 400,
      error: { details: [{ parameter: "since", code: "other_list" }] },
    });
  }
  // Set again and again, because the indexer shows the stored state every minute.
  const afterPurge = async () => {
    await queues.redis.hset(purgedKey(service.namespace), "funding", 9e15);
    return refused(`/funding/changes?country=DE&since=${next}`);
  };
  await expect.poll(afterPurge).toMatchObject({ status: 410, error: { code: "position_expired" } });
  await queues.redis.hset(purgedKey(service.namespace), "funding", 0);
});

test("since=start is for plans with exports, and others get the pages of their plan", async () => {
  expect(await refused("/funding/changes?since=start", starter)).toMatchObject({
    status: 403,
    error: { code: "plan_forbidden" },
  });
  const { next } = (await (await get("/funding/changes", starter)).json()) as { next: string };
  const { digest, position } = decodePosition(next)!;
  // Anybody can make the checksum of a position.
  for (const forged of [
    { changed: 1, asof: 1, known: 0, id: "" },
    { changed: position.changed - 1 },
    { changed: 0, asof: 0, known: 0, id: "" },
    { changed: 0, id: "" },
    { changed: 1, id: "" },
  ]) {
    const since = encodePosition({ digest, position: { ...position, ...forged } });
    expect(await refused(`/funding/changes?since=${since}`, starter)).toMatchObject({
      status: 403,
      error: { code: "plan_forbidden" },
    });
  }
  expect((await get(`/funding/changes?since=${next}`, starter)).status).toBe(200);
  expect((await get("/funding/changes?limit=1000", starter)).status).toBe(200);
});

test("while the feed is closed it is unavailable", async () => {
  const served = await queues.redis.hget(servedKey(service.namespace), "funding");
  const statusWhenClosed = async () => {
    // Again and again, because the indexer shows the stored state every 30 s.
    await queues.redis.hdel(servedKey(service.namespace), "funding");
    return (await get("/funding/changes")).status;
  };
  await expect.poll(statusWhenClosed).toBe(503);
  await queues.redis.hset(servedKey(service.namespace), "funding", served!);
  await queues.queue(QUEUES.upkeep).add(UPKEEP_JOBS.maintain, undefined, JOB_OPTIONS);
  expect((await get("/funding/changes")).status).toBe(200);
});
