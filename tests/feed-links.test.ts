import { execFileSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { newApiKey, newFeedToken } from "@tranche/shared/accounts/api-key";
import { accountRedisKeys } from "@tranche/shared/accounts/redis-keys";
import { feedKeys } from "@tranche/shared/protocol/feed/keys";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFeedPageCache } from "../apps/api/feed-links/page-cache.ts";
import { RedisAway, type WithTimeout } from "../apps/api/redis/silence-timeout.ts";
import { dashboardAccounts } from "./support/dashboard-accounts.ts";
import type { DashboardClient } from "./support/dashboard-client.ts";
import { ENGINES } from "./support/engines.ts";
import { hasPython } from "./support/python.ts";
import { fetchUnlessBusy } from "./support/unless-busy.ts";
import { withService } from "./support/with-service.ts";
import { withinASecond } from "./support/within-a-second.ts";

let printed = "";
const fixture = withService({ env: { TRANCHE_LOG_LEVEL: "debug" }, onOutput: (text) => void (printed += text) });
const { service, client, names } = fixture;
const { accounts, newAccount, signedIn } = dashboardAccounts(fixture);
const redis = new Redis(ENGINES.redisUrl);
afterAll(() => redis.disconnect());

/** A time as a ticket, in µs. */
const NOW = Date.UTC(2026, 1, 1) * 1000;
const HOSTILE = "]]>&a;</title><script>alert(1)</script>\u0007 & Co";

const round = (id: string, minutes: number, country: string, name = `Company of ${id}`) => {
  const company = { id: `c-${id}`, name, slug: id, country, city: null, category: null };
  const row = {
    id,
    announced_date: "2026-01-01",
    deal_type: "seed",
    amount_usd: 1_000_000,
    company,
    investors: [],
    investor_count: 0,
    source_url: null,
    updated_at: "2026-01-01T00:00:00Z",
  };
  const changed = NOW + minutes * 60_000_000;
  const searched = { listed: true, id, company_id: company.id, country, deal_type: "seed", amount_usd: 1_000_000 };
  const tickets = { changed, created: NOW };
  return { ...searched, announced_date: "2026-01-01", ...tickets, row: JSON.stringify(row) };
};
const put = (documents: ReturnType<typeof round>[]) =>
  client.bulk({
    index: names.role("funding", "live"),
    refresh: true,
    operations: documents.flatMap((document) => [{ index: { _id: document.id } }, document]),
  });

/** Opens the feed of rounds up to a time, as the indexer does for an index with tickets. */
async function openFeed(minutes: number) {
  const { clock, served, epoch } = feedKeys(service.namespace, "funding");
  const [index] = Object.keys(await client.indices.getAlias({ name: names.role("funding", "live") }));
  await redis.set(clock, String(NOW + minutes * 60_000_000));
  await redis.hset(served, "funding", index!);
  await redis.set(epoch, "first");
}

const statusOf = async (address: string): Promise<number> => (await fetch(address)).status;

let site: string;
let account: string;
let ada: DashboardClient;
const US_ROUNDS = { name: "US rounds", list: "funding", query: "country=US&sort=amount_desc" };

beforeAll(async () => {
  await service.startApi();
  await service.startDashboard();
  site = service.base.replace("/api/v1", "");
  account = await newAccount();
  ada = await signedIn(account);
  await put([round("r1", 1, "US"), round("r2", 2, "US", HOSTILE), round("r3", 3, "DE"), round("r4", 9, "US")]);
});

const saved = async (search: object = US_ROUNDS, by = ada) =>
  (await by.ask("POST", "/searches", search)).body.data.id as string;
const created = async (search: string, by = ada) => (await by.ask("POST", `/searches/${search}/feeds`)).body.data;
const newLink = async (search?: object) => created(await saved(search));
const used = async (handle = account) =>
  Number((await redis.hget(accountRedisKeys(service.namespace, handle).month, "used")) ?? 0);
/** As if the minute of a link's page were over. */
async function forgetPages(handle = account) {
  const pages = await redis.keys(accountRedisKeys(service.namespace, handle).feedPage("*"));
  if (pages.length > 0) await redis.del(pages);
}
const pagesOfProcess = (withTimeout: WithTimeout) => {
  const outage = { lasts: () => undefined, begins: () => {}, beforeBack: () => {} };
  return createFeedPageCache({ redis, nodeStateOf: () => ({ outage, withTimeout }) }, service.namespace, Date.now);
};
const titles = async (url: string) =>
  ((await (await fetch(url)).json()) as { items: { title: string }[] }).items.map(({ title }) => title);
/** A document as Python's own parser reads it. It accepts only well-formed XML. */
const readByPython = (xml: string): [string, string][] => {
  const script =
    "import sys,json,xml.etree.ElementTree as e;print(json.dumps([[i.tag.split('}')[1],i.text or ''] for i in e.fromstring(sys.stdin.buffer.read()).iter()]))";
  return JSON.parse(execFileSync("python3", ["-c", script], { input: xml, encoding: "utf8" })) as [string, string][];
};

test("until the feed of changes is open, a feed link is unavailable and costs nothing", async () => {
  const { atom } = await newLink();
  const answer = await fetch(atom);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(await used()).toBe(0);
});

describe("a feed link", () => {
  beforeAll(() => openFeed(5));

  test("shows the newest complete changes of its search, in Atom and JSON Feed, for one request per minute", async () => {
    const { atom, json } = await newLink();
    const before = await used();
    const answer = await fetch(atom);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/atom+xml; charset=utf-8",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
      "cache-control": "private, max-age=60",
    });
    const asJson = await fetch(json);
    expect(asJson.headers.get("content-type")).toBe("application/feed+json; charset=utf-8");
    const feed = (await asJson.json()) as { version: string; items: { id: string; _tranche: object }[] };
    expect(feed.version).toBe("https://jsonfeed.org/version/1.1");
    expect(feed.items[1]!._tranche).toMatchObject({ row: { id: "r1", company: { name: "Company of r1" } } });
    expect((await used()) - before).toBe(1);
  });

  test.skipIf(!hasPython("the Atom of a feed link"))(
    "is Atom that Python reads, with the entries of its JSON Feed",
    async () => {
      const { atom, json } = await newLink();
      const elements = readByPython(await (await fetch(atom)).text());
      const shown = "]]>&a;</title><script>alert(1)</script>\ufffd & Co: seed, $1,000,000";
      expect(elements.filter(([name]) => name === "title").map(([, text]) => text)).toEqual([
        "US rounds",
        shown,
        "Company of r1: seed, $1,000,000",
      ]);
      expect(elements.filter(([name]) => name === "updated").slice(1)).toEqual([
        ["updated", "2026-02-01T00:02:00.000Z"],
        ["updated", "2026-02-01T00:01:00.000Z"],
      ]);
      const { items } = (await (await fetch(json)).json()) as { items: { id: string }[] };
      expect(items.map(({ id }) => id)).toEqual(
        elements.filter(([name, text]) => name === "id" && text !== elements[1]![1]).map(([, text]) => text),
      );
    },
  );

  test("is answered with 304 for a reader that has it, and a new page that is 304 costs nothing", async () => {
    const { atom } = await newLink();
    const first = await fetch(atom);
    const etag = first.headers.get("etag")!;
    const before = await used();
    for (const kept of [true, false]) {
      if (!kept) await forgetPages();
      const again = await fetch(atom, { headers: { "If-None-Match": etag } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
    expect((await fetch(atom, { headers: { "If-None-Match": '"other"' } })).status).toBe(200);
    expect(await used()).toBe(before);
  });

  test("is never 304 by its time alone, because more than one page may belong to a second", async () => {
    const { atom } = await newLink();
    expect((await fetch(atom)).headers.get("last-modified")).toBe(null);
    const headers = { "If-Modified-Since": new Date().toUTCString() };
    expect((await fetch(atom, { headers })).status).toBe(200);
  });

  test("is read by many at once with one page", async () => {
    const { json } = await newLink();
    const before = await used();
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetchUnlessBusy(json)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect((await used()) - before).toBe(1);
  });

  test("is made by whoever asks again when Redis gave leave to make it and was not heard in time", async () => {
    let lost = 0;
    const withTimeout = async <T>(answer: Promise<T>): Promise<T> => {
      const value = await answer;
      if (lost++ === 0) throw new RedisAway("no answer within 250 ms");
      return value;
    };
    const pages = pagesOfProcess(withTimeout);
    const page = { id: "urn:x", title: "Not heard", updated: "2026-02-01T00:00:00Z", entries: [] };
    const link = { handle: account, hash: "not-heard" };
    expect(await pages.page(link, async () => page)).toEqual({ page, made: true });
    expect(lost).toBeGreaterThan(1);
  });

  test("is left to the process that makes it now when a slower one fails", async () => {
    const link = { handle: account, hash: "slow" };
    const making = `${accountRedisKeys(service.namespace, account).feedPage(link.hash)}:making`;
    const slow = pagesOfProcess((answer) => answer).page(link, async () => {
      // As when its lease was over, and another process took it.
      await redis.set(making, "another process", "PX", 30_000);
      throw new Error("too slow");
    });
    await expect(slow).rejects.toThrow("too slow");
    expect(await redis.get(making)).toBe("another process");
  });

  test("follows its search, and shows what has changed a minute later", async () => {
    const search = await saved();
    const { json } = await created(search);
    expect(await titles(json)).toHaveLength(2);
    const { version } = (await ada.ask("GET", "/searches")).body.data.searches.find(
      ({ id }: { id: string }) => id === search,
    );
    await ada.ask("PUT", `/searches/${search}`, { query: "country=DE", version });
    expect(await titles(json)).toHaveLength(2);
    await forgetPages();
    expect(await titles(json)).toEqual(["Company of r3: seed, $1,000,000"]);
  });

  test("opens nothing but its search, and no key opens it", async () => {
    const { atom } = await newLink();
    const [, token] = /feeds\/(.*)\.atom$/.exec(atom)!;
    const asKey = await fetch(`${service.base}/funding`, { headers: { Authorization: `Bearer ${token}` } });
    expect(asKey.status).toBe(401);
    const { key } = await accounts.createKey({ account, name: "key" });
    for (const name of [key, key.replace("trn", "trf"), newApiKey(account), newFeedToken(account), "x", `${token}x`]) {
      expect((await fetch(`${site}/feeds/${name}.atom`)).status, name).toBe(404);
    }
    for (const path of [`${token}`, `${token}.rss`, `${token}.ATOM`]) {
      expect((await fetch(`${site}/feeds/${path}`)).status, path).toBe(404);
    }
    expect((await fetch(atom, { method: "POST" })).status).toBe(405);
  });

  test("stops within a second when it is revoked, when its search is deleted, and while its account is suspended", async () => {
    const search = await saved();
    const [one, two] = [await created(search), await created(search)];
    expect([(await fetch(one.atom)).status, (await fetch(two.atom)).status]).toEqual([200, 200]);
    expect((await ada.ask("POST", `/feeds/${one.link.id}/revoke`)).status).toBe(204);
    await withinASecond(() => statusOf(one.atom), 404);
    expect((await fetch(two.atom)).status).toBe(200);
    expect((await ada.ask("GET", `/searches/${search}/follow`)).body.data.links).toHaveLength(1);
    await ada.ask("DELETE", `/searches/${search}`);
    await withinASecond(() => statusOf(two.atom), 404);

    const [{ atom }, other] = [await newLink(), await saved()];
    expect((await fetch(atom)).status).toBe(200);
    await accounts.suspend(account);
    expect((await fetch(atom)).status).toBe(404);
    expect((await ada.ask("POST", `/searches/${other}/feeds`)).status).toBe(403);
    await accounts.resume(account);
    expect((await fetch(atom)).status).toBe(200);
  });

  test("uses at most 1 % of the month's quota per day, and is limited by itself", async () => {
    const { account: handle } = await accounts.createAccount({ name: "Small", plan: "starter" });
    const bob = await signedIn(handle, "bob@example.com");
    const { atom } = await created(await saved(US_ROUNDS, bob), bob);
    expect((await fetch(atom)).status).toBe(200);
    const day = accountRedisKeys(service.namespace, handle).feedPages(new Date().toISOString().slice(0, 10));
    expect(await redis.get(day)).toBe("1");
    await redis.set(day, "99");
    await forgetPages(handle);
    expect((await fetch(atom)).status).toBe(200);
    await forgetPages(handle);
    const refused = await fetch(atom);
    expect([refused.status, await refused.json()]).toMatchObject([429, { error: { code: "quota_exceeded" } }]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect([await used(handle), await redis.get(day)]).toEqual([2, "100"]);
    const often = await Promise.all(Array.from({ length: 70 }, () => fetchUnlessBusy(atom)));
    expect(new Set(often.map(({ status }) => status))).toEqual(new Set([429]));
    expect(await redis.get(day)).toBe("100");
  });

  test("belongs to its account: others find neither the search nor the link", async () => {
    const search = await saved();
    const { link } = await created(search);
    const eve = await signedIn(await newAccount("Eve"), "eve@example.com");
    expect((await eve.ask("GET", `/searches/${search}/follow`)).status).toBe(404);
    expect((await eve.ask("POST", `/searches/${search}/feeds`)).status).toBe(404);
    expect((await eve.ask("POST", `/feeds/${link.id}/revoke`)).status).toBe(404);
    expect((await ada.ask("POST", `/searches/${search}/feeds`, undefined, { "X-CSRF-Token": "x" })).status).toBe(403);
    const investors = await saved({ name: "All", list: "investors", query: "" });
    expect((await ada.ask("POST", `/searches/${investors}/feeds`)).status).toBe(400);
  });

  test("is created, listed and revoked by operators, and its token is neither stored nor logged", async () => {
    await saved({ ...US_ROUNDS, name: "Of operators" });
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await service.ops(["feeds", ...args, "--json"]);
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout);
    };
    const made = await run("create", "--account", account, "--search", "of operators");
    const json = made.json.replace(/^https?:\/\/[^/]*/, site);
    expect(await statusOf(json)).toBe(200);
    const token = /trf_\w+/.exec(made.atom)![0];
    await fetch(`${site}/feeds/${token}`);
    const listed = (await run("list", "--account", account)).find((one: any) => one.feed_id === made.feed_id);
    expect(listed).toMatchObject({ name: "Of operators", revoked_at: null });
    expect((await run("revoke", made.feed_id)).revoked_at).not.toBeNull();
    await withinASecond(() => statusOf(json), 404);
    const missing = await service.ops(["feeds", "create", "--account", account, "--search", "nothing"]);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("no saved search 'nothing'")]);
    const actions = (await accounts.audit({ account })).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(["feed.create", "feed.revoke"]));

    await pause(1500);
    expect(printed).toContain("/feeds/[redacted]");
    expect(printed).not.toMatch(/trf_\w{8}_\w/);
    const stored = await client.search({ index: names.accounts, size: 1000 });
    expect(JSON.stringify(stored)).toContain(made.feed_id);
    expect(JSON.stringify(stored)).not.toContain(token);
    const errors = await redis.lrange(accountRedisKeys(service.namespace, account).errors, 0, -1);
    expect(errors.join("")).not.toContain(token);
  });
});
