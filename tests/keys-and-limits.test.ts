import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { get as sendGet, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { Client } from "@elastic/elasticsearch";
import { type AccountStore, createAccountStore } from "@tranche/shared/accounts/account-store";
import { newApiKey, newHandle } from "@tranche/shared/accounts/api-key";
import { createDailyUsage } from "@tranche/shared/accounts/daily-usage";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import { Redis } from "ioredis";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { peersKey } from "../apps/api/admission/peers.ts";
import { createEndpoints } from "../apps/api/endpoints/endpoints.ts";
import { ENGINES } from "./support/engines.ts";
import { metricsOf } from "./support/metrics.ts";
import { type SecuredEngines, secureEngines } from "./support/secured-engines.ts";
import { createService, type Service } from "./support/service.ts";
import { unlessBusy } from "./support/unless-busy.ts";
import { PAUSES } from "./support/pauses.ts";
import { plansFile } from "./support/plans-file.ts";

/** Both engines speak TLS and ask for credentials in all of these tests. */
let engines: SecuredEngines;
let service: Service;
let accounts: AccountStore;
let client: Client;
let redis: Redis;
/** Two processes; the second believes one proxy in front of it. */
let one: string;
let two: string;
/** Of each API process. */
let metricsPorts: readonly string[];
/** What both have logged. */
let logged = "";
/** When Redis knew of both, in ms of its own clock. */
let bothThereAt: number;

const PLANS = {
  roomy: { name: "Roomy", max_limit: 20, burst: 10_000, quota: 10_000 },
  brief: { name: "Brief", max_limit: 10, burst: 3, quota: 1000 },
  scant: { name: "Scant", max_limit: 10, burst: 1000, quota: 2 },
};

const plans = plansFile(PLANS);

beforeAll(async () => {
  engines = await secureEngines(ENGINES);
  service = createService(engines, {
    env: {
      ELASTICSEARCH_CA_FILE: engines.caFile,
      REDIS_CA_FILE: engines.caFile,
      TRANCHE_PLANS_FILE: plans,
      TRANCHE_LOG_LEVEL: "warn",
      TRANCHE_PAUSES: PAUSES,
    },
    onOutput: (printed) => (logged += printed),
  });
  await service.startApi({ TRANCHE_LOG_LEVEL: "info" });
  const [base, metrics] = [service.base, service.apiMetrics];
  await service.startApi({ TRANCHE_LOG_LEVEL: "info", TRANCHE_TRUSTED_PROXIES: "1" });
  [one, two] = [base, service.base];
  metricsPorts = [metrics, service.apiMetrics];
  client = createSearchClient({ url: ENGINES.elasticsearchUrl }, { connections: 4, requestTimeoutMs: 30_000 });
  redis = new Redis(ENGINES.redisUrl);
  bothThereAt = Number((await redis.time())[0]) * 1000 + 1000;
  accounts = createAccountStore(client, indexNames(service.namespace), {
    actor: "test",
    copies: createHotCopies(redis, service.namespace),
  });
});
afterAll(async () => {
  await service.stop();
  await engines.close();
  await client.close();
  redis.disconnect();
});

async function caller(plan: string) {
  const { account } = await accounts.createAccount({ name: "Test", plan });
  return { account, ...(await accounts.createKey({ account, name: "test" })) };
}
const get = (base: string, path: string, key: string, headers: Record<string, string> = {}) =>
  fetch(`${base}${path}`, { headers: { Authorization: `Bearer ${key}`, ...headers } });
const codeOf = async (answer: Response) => ((await answer.json()) as { error: { code: string } }).error.code;
type WindowShown = { limit: number; used: number; remaining: number; resets_at: string };
async function usageOf(base: string, key: string) {
  const { data } = (await (await get(base, "/usage", key)).json()) as {
    data: { plan: string; burst: WindowShown; month: WindowShown };
  };
  return data;
}

const statusOfEach = (ask: (base: string) => Promise<Response>) =>
  Promise.all([one, two].map(async (base) => (await ask(base)).status));
/** What each process says to a key. */
const eachStatus = (key: string) => statusOfEach((base) => get(base, "/usage", key));
/** The same, asked once more after a 503: for keys that should work. */
const eachStatusUnlessBusy = (key: string) => statusOfEach((base) => unlessBusy(() => get(base, "/usage", key)));
/** Calls the second process as if from another address; a caller can write anything before it. */
const from = (address: string, key: string) => get(two, "/usage", key, { "X-Forwarded-For": `1.2.3.4, ${address}` });
/** How many documents of accounts and keys were read so far. */
const reads = async () => {
  const stats = await client.indices.stats({ index: indexNames(service.namespace).accounts, metric: "get" });
  return stats._all.total!.get!.total;
};

test("every answer to a valid key has its limits", async () => {
  const { key } = await caller("roomy");
  const now = Date.now() / 1000;
  for (const [method, path, status] of [
    ["GET", "/funding", 200],
    ["GET", "/funding?limit=no", 400],
    ["GET", "/funding/nothing-of-that-id", 404],
    ["GET", "/nothing-here", 404],
    ["GET", "/../../nothing", 404],
    ["POST", "/funding", 405],
    ["GET", `/funding?x=${"x".repeat(9000)}`, 414],
  ] as const) {
    const answer = await fetch(`${one}${path}`, { method, headers: { Authorization: `Bearer ${key}` } });
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.headers.get("RateLimit-Policy")).toMatch(/^"burst";q=10000;w=60, "month";q=10000;w=\d+$/);
    expect(answer.headers.get("RateLimit")).toMatch(/^"burst";r=999\d;t=\d+, "month";r=999[89];t=\d+$/);
    expect(Number(/t=(\d+)/.exec(answer.headers.get("RateLimit")!)![1])).toBeLessThanOrEqual(60);
    expect(answer.headers.get("X-RateLimit-Limit")).toBe("10000");
    const reset = Number(answer.headers.get("X-RateLimit-Reset"));
    expect(reset).toBeGreaterThan(now);
    expect(reset).toBeLessThan(now + 70);
  }
});

describe("a path of no endpoint", () => {
  test("is 404 without a key, 401 with a wrong one, and 429 where the burst is used up", async () => {
    expect((await fetch(`${one}/nothing-here`)).status).toBe(404);
    expect((await get(one, "/nothing-here", newApiKey(newHandle()))).status).toBe(401);
    const { key } = await caller("brief");
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await get(one, "/nothing-here", key)).status);
    expect(statuses).toEqual([404, 404, 404, 429]);
  });
});

describe("the Authorization header", () => {
  const statusOf = async (...values: string[]) => {
    const sent = sendGet(`${one}/usage`, { headers: { Authorization: values } });
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    const { error } = JSON.parse(await text(answer)) as { error?: { message: string } };
    return [answer.statusCode, error?.message];
  };

  test("is refused when there are two, whichever is right", async () => {
    const right = `Bearer ${(await caller("roomy")).key}`;
    const twice = [401, "The request has more than one Authorization header. Send one."];
    expect(await statusOf(right)).toEqual([200, undefined]);
    expect(await statusOf(right, "Bearer wrong")).toEqual(twice);
    expect(await statusOf("Bearer wrong", right)).toEqual(twice);
    expect(await statusOf(right, right)).toEqual(twice);
  });

  test("has nothing but blanks around it", async () => {
    const { key } = await caller("roomy");
    expect((await statusOf(` Bearer ${key} \t`))[0]).toBe(200);
    expect((await statusOf(`Bearer ${key}\u00a0`))[0]).toBe(401);
    expect((await statusOf(`\u00a0Bearer ${key}`))[0]).toBe(401);
  });
});

describe("the order is key, burst, parameters, quota:", () => {
  test("a wrong key learns nothing of parameters", async () => {
    const answer = await get(one, "/funding?limit=no", newApiKey(newHandle()));
    expect([answer.status, await codeOf(answer)]).toEqual([401, "unauthorized"]);
    expect(answer.headers.get("RateLimit")).toBeNull();
  });

  test.each([
    ["no key", "198.51.100.21"],
    ["another scheme", "198.51.100.22"],
    ["a mistyped key", "198.51.100.23"],
    ["a key that was looked for in vain", "198.51.100.24"],
  ])("%s is refused before anything else is read, at every address", async (what, address) => {
    const unknown = newApiKey(newHandle());
    const sent = {
      "no key": undefined,
      "another scheme": "Basic Zm9vOmJhcg==",
      "a mistyped key": `Bearer ${unknown.slice(0, -1)}${unknown.endsWith("0") ? "1" : "0"}`,
      "a key that was looked for in vain": `Bearer ${unknown}`,
    }[what];
    if (what.endsWith("in vain")) expect((await from(address, unknown)).status).toBe(401);
    const paths = Object.values(createEndpoints(dealTypes())).map(({ path }) => path.replace("{id}", "some"));
    for (const path of paths) {
      const answer = await fetch(`${new URL(two).origin}${path}?limit=no&nonsense`, {
        // The reader of a request says which preference applies.
        headers: { Prefer: "handling=strict", "X-Forwarded-For": address, ...(sent ? { Authorization: sent } : {}) },
      });
      expect([path, answer.status, await codeOf(answer)]).toEqual([path, 401, "unauthorized"]);
      expect(answer.headers.get("Preference-Applied")).toBeNull();
    }
    const { key } = await caller("roomy");
    const read = await get(two, "/funding?limit=no", key, { Prefer: "handling=strict" });
    expect([read.status, read.headers.get("Preference-Applied")]).toEqual([400, "handling=strict"]);
  });

  test("a burst that is used up goes before parameters, and says when to come back", async () => {
    const { key } = await caller("brief");
    for (let n = 0; n < 3; n++) expect((await get(n % 2 ? one : two, "/funding", key)).status).toBe(200);
    const answer = await get(two, "/funding?limit=no", key);
    expect([answer.status, await codeOf(answer)]).toEqual([429, "rate_limited"]);
    const wait = Number(answer.headers.get("Retry-After"));
    expect(wait).toBeGreaterThan(50);
    expect(wait).toBeLessThanOrEqual(60);
    expect(answer.headers.get("RateLimit")).toMatch(/^"burst";r=0;t=\d+, "month";r=997;/);
  });

  test("parameters go before a quota that is used up", async () => {
    const { key } = await caller("scant");
    for (let n = 0; n < 2; n++) expect((await get(one, "/funding", key)).status).toBe(200);
    expect((await get(one, "/signals?signal=nothing", key)).status).toBe(400);
    const answer = await get(one, "/signals", key);
    expect([answer.status, await codeOf(answer)]).toEqual([429, "quota_exceeded"]);
    const seconds = Number(answer.headers.get("Retry-After"));
    const now = new Date();
    expect(seconds).toBeCloseTo((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime()) / 1000, -2);
    expect((await get(one, "/usage", key)).status).toBe(200);
  });
});

describe("a request costs", () => {
  test("both limits when it is answered or finds nothing, and burst alone when it is refused", async () => {
    const { key } = await caller("roomy");
    const etag = (await get(one, "/funding", key)).headers.get("ETag")!;
    expect((await usageOf(one, key)).month.used).toBe(1);
    const refused: [string, Record<string, string>, number][] = [
      ["/funding", { "If-None-Match": etag }, 304],
      ["/funding?sort=sideways", {}, 400],
      ["/funding?limit=21", { Prefer: "handling=strict" }, 400],
      ["/funding", { Accept: "image/png" }, 406],
      ["/nothing-here", {}, 404],
    ];
    for (const [path, headers, status] of refused) expect((await get(two, path, key, headers)).status).toBe(status);
    const { burst, month } = await usageOf(one, key);
    expect(month.used).toBe(1);
    expect(burst.used).toBe(1 + refused.length + 2);
    for (const path of ["/companies/nobody", "/investors/nobody", "/funding/nothing"]) {
      expect((await get(two, path, key)).status).toBe(404);
    }
    expect((await usageOf(one, key)).month.used).toBe(4);
  });

  test("quota for statistics by group also when nothing has changed, if they had to be computed", async () => {
    const { key } = await caller("roomy");
    const used = async () => (await usageOf(one, key)).month.used;
    const path = "/funding/stats?group_by=deal_type&from=1990-01-01";
    const etag = (await get(one, path, key)).headers.get("ETag")!;
    expect(await used()).toBe(1);
    // Nothing was ever written, so nothing is cached.
    expect((await get(two, path, key, { "If-None-Match": etag })).status).toBe(304);
    expect(await used()).toBe(2);
    expect((await get(two, "/funding/stats", key)).status).toBe(200);
    expect(await used()).toBe(3);
  });

  test("burst alone when it fails here, as its headers say", async () => {
    const { key } = await caller("roomy");
    await get(one, "/funding", key);
    engines.failSearches(true);
    try {
      const answer = await get(one, "/funding?country=NZ", key);
      expect([answer.status, await codeOf(answer)]).toEqual([503, "unavailable"]);
      expect(answer.headers.get("RateLimit")).toMatch(/"burst";r=9998;.*"month";r=9999;/);
      expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    } finally {
      engines.failSearches(false);
    }
    expect(await usageOf(two, key)).toMatchObject({ burst: { used: 3 }, month: { used: 1, remaining: 9999 } });
  });

  test("what other keys of its account pay as well", async () => {
    const { key, account } = await caller("roomy");
    const other = await accounts.createKey({ account, name: "other" });
    await Promise.all([get(one, "/funding", key), get(two, "/funding", other.key)]);
    expect(await usageOf(one, key)).toMatchObject({
      plan: "roomy",
      burst: { used: 3 },
      month: { used: 2, limit: 10_000 },
    });
  });
});

describe("within a second, in every process,", () => {
  test("a revoked key opens nothing", async () => {
    const { key, record } = await caller("roomy");
    expect(await eachStatusUnlessBusy(key)).toEqual([200, 200]);
    await accounts.revokeKey(record.key_id);
    expect(await eachStatus(key)).toEqual([401, 401]);
  });

  test("a suspended account is shut out and a resumed one let in; a deleted one is out for good", async () => {
    const { key, account } = await caller("roomy");
    expect(await eachStatusUnlessBusy(key)).toEqual([200, 200]);
    const suspended = await service.ops(["accounts", "suspend", "--account", account, "--reason", "unpaid", "--json"]);
    expect(JSON.parse(suspended.stdout)).toMatchObject({ id: account, status: "suspended" });
    expect(await eachStatus(key)).toEqual([401, 401]);
    await accounts.resume(account);
    expect(await eachStatusUnlessBusy(key)).toEqual([200, 200]);
    await accounts.remove(account);
    expect(await eachStatus(key)).toEqual([401, 401]);
    await expect(accounts.resume(account)).rejects.toThrow("is deleted");
    await expect(accounts.createKey({ account, name: "late" })).rejects.toThrow("is deleted");

    const log = JSON.parse((await service.ops(["audit", "--account", account, "--json"])).stdout) as {
      action: string;
      actor: string;
      details: object;
    }[];
    expect(log.map(({ action }) => action)).toEqual([
      "key.revoke",
      "account.delete",
      "account.resume",
      "account.suspend",
      "key.create",
      "account.create",
    ]);
    expect(log[3]).toMatchObject({ details: { reason: "unpaid" }, actor: expect.stringMatching(/^ops:[^@]+@.+/) });
  });

  test("an account on another plan has its limits", async () => {
    const { key, account } = await caller("roomy");
    expect((await usageOf(one, key)).plan).toBe("roomy");
    await accounts.setPlan(account, "brief");
    expect(await usageOf(two, key)).toMatchObject({ plan: "brief", burst: { limit: 3 } });
  });

  test("a throttled account has the lower limits, reads who set them, and has its plan's again afterwards", async () => {
    const { key, account } = await caller("roomy");
    const throttle = (burst: string, ...more: string[]) =>
      service.ops(["accounts", "throttle", "--account", account, "--burst", burst, "--reason", "a loop", ...more]);
    const { stdout } = await throttle("2", "--quota", "50", "--for", "6h", "--json");
    const shown = (JSON.parse(stdout) as { throttle: { until: string } }).throttle;
    const { until } = shown;
    expect(shown).toEqual({ burst: 2, quota: 50, until, reason: "a loop" });
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(5.9 * 3_600_000);
    expect(await usageOf(two, key)).toMatchObject({
      burst: { limit: 2, used: 1 },
      month: { limit: 50 },
      throttle: { until },
    });
    expect((await get(one, "/funding", key)).status).toBe(200);
    const refused = await get(two, "/funding", key);
    expect([refused.status, refused.headers.get("x-ratelimit-limit")]).toEqual([429, "2"]);
    expect(refused.headers.get("ratelimit-policy")).toContain('"burst";q=2;w=60, "month";q=50;');
    const { error } = (await refused.json()) as { error: { message: string } };
    expect(error.message).toMatch(
      new RegExp(
        `^The operator of this service allows this account 2 requests in 60 seconds until ${until}, fewer than the 10000 of its plan Roomy\\. Try again in \\d+ s\\.$`,
      ),
    );

    const none = await throttle("10000");
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining("allows 10000 requests in 60 seconds: give fewer"),
    ]);
    expect((await service.ops(["accounts", "unthrottle", "--account", account])).code).toBe(0);
    expect(await usageOf(one, key)).toMatchObject({
      burst: { limit: 10_000 },
      month: { limit: 10_000 },
      throttle: null,
    });
    expect((await accounts.audit({ account })).slice(0, 2)).toMatchObject([
      { action: "account.unthrottle" },
      {
        action: "account.throttle",
        actor: expect.stringMatching(/^ops:/),
        details: { burst: "2", quota: "50", until, reason: "a loop" },
      },
    ]);
  });

  test("a rotated key holds for its overlap and no longer", async () => {
    const { key, record } = await caller("roomy");
    const rotated = await accounts.rotateKey(record.key_id, 5);
    expect(await eachStatusUnlessBusy(key)).toEqual([200, 200]);
    expect(await eachStatusUnlessBusy(rotated.key)).toEqual([200, 200]);
    await expect.poll(() => eachStatus(key)).toEqual([401, 401]);
    const again = await accounts.rotateKey(rotated.record.key_id, 0);
    expect(await eachStatus(rotated.key)).toEqual([401, 401]);
    expect(await eachStatusUnlessBusy(again.key)).toEqual([200, 200]);
  });
});

describe("wrong keys", () => {
  test("are refused 60 times per minute from one address; other addresses and right keys are not affected", async () => {
    const { key } = await caller("roomy");
    expect((await from("198.51.100.7", key)).status).toBe(200);
    const wrong = [newApiKey(newHandle()), "trn_nonsense"];
    const statuses = await Promise.all(
      Array.from({ length: 70 }, async (_, n) => (await unlessBusy(() => from("198.51.100.7", wrong[n % 2]!))).status),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    const answer = await from("198.51.100.7", newApiKey(newHandle()));
    expect([answer.status, await codeOf(answer)]).toEqual([429, "rate_limited"]);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await from("198.51.100.8", wrong[0]!)).status).toBe(401);
    expect((await from("198.51.100.7", key)).status).toBe(200);
  });

  test("end the reading of requests from an address that sent too many, but for right keys", async () => {
    const address = "198.51.100.11";
    const ask = (key: string) =>
      get(two, "/funding?limit=no", key, { "X-Forwarded-For": address, Prefer: "handling=strict" });
    for (let n = 0; n < 60; n++) expect((await ask("trn_nonsense")).status).toBe(401);
    const revoked = await caller("roomy");
    expect((await get(one, "/usage", revoked.key)).status).toBe(200);
    await accounts.revokeKey(revoked.record.key_id);
    for (const key of [newApiKey(newHandle()), revoked.key, "trn_nonsense"]) {
      const answer = await ask(key);
      expect([answer.status, answer.headers.get("Preference-Applied")]).toEqual([429, null]);
    }
    // This one was let in by another process.
    const { key } = await caller("roomy");
    expect((await get(one, "/usage", key)).status).toBe(200);
    const answer = await ask(key);
    expect([answer.status, answer.headers.get("Preference-Applied")]).toEqual([400, "handling=strict"]);
  });

  test("do not keep out a right key of the same address that no process has met", async () => {
    const { key } = await caller("roomy");
    const sendWrong = (count: number) =>
      Promise.all(Array.from({ length: count }, () => from("198.51.100.12", newApiKey(newHandle()))));
    await sendWrong(140);
    const wrong = sendWrong(50);
    expect((await unlessBusy(() => from("198.51.100.12", key))).status).toBe(200);
    await wrong;
  });

  test("are looked up once per minute", async () => {
    const key = newApiKey(newHandle());
    const before = await reads();
    for (let n = 0; n < 50; n++) expect((await from("198.51.100.9", key)).status).toBe(401);
    // The account and the key; and what is read when last uses are written.
    expect((await reads()) - before).toBeLessThan(25);
  });
});

test("the plans file is read again when it changes, and one that is broken changes nothing", async () => {
  const { key } = await caller("roomy");
  const limit = async () => (await usageOf(one, key)).burst.limit;
  expect(await limit()).toBe(10_000);
  writeFileSync(plans, JSON.stringify({ ...PLANS, roomy: { ...PLANS.roomy, burst: 7000 } }));
  await expect.poll(limit).toBe(7000);
  writeFileSync(plans, '{ "roomy": {');
  await expect.poll(() => logged.split("the plans file can't be used").length - 1).toBeGreaterThanOrEqual(2);
  expect(await limit()).toBe(7000);
  writeFileSync(plans, JSON.stringify(PLANS));
  await expect.poll(limit).toBe(10_000);
});

test("requests are counted by day, key and status class, and the minute of a key's last use is kept", async () => {
  const { key, record, account } = await caller("roomy");
  const before = Date.now();
  for (const path of ["/funding", "/funding", "/funding?limit=x", "/usage"]) await get(one, path, key);
  const usage = createDailyUsage(redis, service.namespace);
  const day = new Date().toISOString().slice(0, 10);
  const line = { account, keyId: record.key_id, day, way: "api" };
  await expect
    .poll(() => usage.read(account, Date.now()))
    .toEqual([
      { ...line, status: "2xx", requests: 3 },
      { ...line, status: "4xx", requests: 1 },
    ]);
  const lastUse = async () => (await accounts.keys(account))[0]!.last_used_at;
  await expect.poll(lastUse).toMatch(/:00\.000Z$/);
  expect(Math.abs(Date.parse((await lastUse())!) - before)).toBeLessThan(120_000);
});

describe("while Redis is away", () => {
  beforeAll(async () => {
    // The process that started first hears of the other with its next announcement.
    const announced = () => redis.zcount(peersKey(service.namespace), bothThereAt, "+inf");
    await vi.waitFor(async () => expect(await announced()).toBe(2), 10_000);
  });

  test.each(["cut", "silent"] as const)(
    "(%s) known keys go by limits of each process, others get 503; served requests are counted after",
    async (how) => {
      const { key } = await caller("roomy");
      const brief = await caller("brief");
      const stranger = await caller("roomy");
      for (const base of [one, two]) expect((await get(base, "/funding", key)).status).toBe(200);
      expect((await get(one, "/usage", brief.key)).status).toBe(200);

      engines.redis(how);
      try {
        // Until a process has seen the end of its connection, it takes what it can't send for counted.
        if (how === "cut")
          for (const port of metricsPorts) await expect.poll(() => metricsOf(port)).toContain("tranche_redis_away 1");
        const start = Date.now();
        const answers = await Promise.all(
          Array.from({ length: 40 }, (_, n) => get(n % 2 ? one : two, "/funding", key)),
        );
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
        expect(Date.now() - start).toBeLessThan(2000);
        expect(answers[0]!.headers.get("RateLimit")).toMatch(/^"burst";r=\d+;t=\d+, "month";r=\d+;t=\d+$/);
        expect(await (await get(one, "/freshness", key)).json()).toMatchObject({ delay_seconds: null });
        const unknown = await get(one, "/funding", stranger.key);
        expect([unknown.status, await codeOf(unknown)]).toEqual([503, "unavailable"]);
        expect(unknown.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
        expect((await get(one, "/funding", "trn_nonsense")).status).toBe(401);
        // A plan of 3 in two processes: each lets one through.
        const limited = await Promise.all([1, 2, 3].map(async () => (await get(one, "/usage", brief.key)).status));
        expect(limited.filter((status) => status === 429)).toHaveLength(2);
        expect((await fetch(new URL("/health/ready", one))).status).toBe(200);
        expect(await metricsOf(metricsPorts[0]!)).toContain("tranche_redis_away 1");
      } finally {
        engines.redis("there");
      }
      await expect.poll(async () => (await get(one, "/usage", stranger.key)).status).toBe(200);
      await expect.poll(async () => (await usageOf(two, key)).month.used).toBeGreaterThan(40);
      const { used } = (await usageOf(one, key)).month;
      // Those whose answers were lost were counted once, by Redis; none is counted twice.
      expect(used).toBe(42);
    },
  );
});

test("operators see what admission decides", async () => {
  const { key } = await caller("brief");
  for (let n = 0; n < 4; n++) await get(one, "/usage", key);
  const metrics = await metricsOf(metricsPorts[0]!);
  expect(metrics).toMatch(/tranche_admissions_total\{verdict="rate_limited",by="redis"\} \d+/);
  expect(metrics).toContain("tranche_redis_away 0");
});
