import { createFeedLinkStore, MAX_FEED_LINKS } from "@tranche/shared/accounts/feed-link-store";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import { accountRedisKeys } from "@tranche/shared/accounts/redis-keys";
import { createSessionStore } from "@tranche/shared/accounts/session-store";
import { createMemberStore } from "@tranche/shared/accounts/member-store";
import { Redis } from "ioredis";
import { afterAll, describe, expect, test } from "vitest";
import { createKeyInRoom, MAX_WORKING } from "../apps/dashboard/keys/room.ts";
import { createSearchStore } from "../apps/dashboard/explore/search-store.ts";
import { dashboardAccounts } from "./support/dashboard-accounts.ts";
import type { DashboardClient } from "./support/dashboard-client.ts";
import { sized } from "./support/sized.ts";
import { withSharedService } from "./support/with-service.ts";

const fixture = withSharedService();
const { service, client, names, engines } = fixture;
const { accounts, members, newAccount, browser, link, signedIn, storeCopies } = dashboardAccounts(fixture);
const redis = new Redis(engines.redisUrl, { lazyConnect: true });
afterAll(() => redis.disconnect());

const DAY_MS = 86_400_000;
/** Of a race between a removal and whoever is removed. In each they try all the time. */
const ROUNDS = sized(2, 5);
const failed = (status: number, code: string) => ({ status, body: { error: { code } } });
const OVER = failed(401, "signed_out");
const UNUSABLE = failed(410, "link_unusable");
const [ADA, BOB, EVE] = ["ada@example.com", "bob@example.com", "eve@example.com"] as const;

const emails = async (account: string) => (await members.ofAccount(account)).map(({ email }) => email);
const tokenOf = ({ cookies }: DashboardClient): string => [...cookies.values()][0]!;
const api = async (token: string) =>
  (await fetch(`${service.base}/usage`, { headers: { Authorization: `Bearer ${token}` } })).status;
/** The API may take Redis for away for a moment on a busy machine. */
const untilAdmitted = (token: string) => expect.poll(() => api(token), { timeout: 10_000 }).toBe(200);

describe("a member who is removed", () => {
  test("adds nobody, makes no key and no link that stays, however quick they are", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const account = await newAccount();
      const [ada, eve] = [await signedIn(account), await signedIn(account, EVE)];
      let answered = false;
      const [accomplices, secrets, keys]: string[][] = [[], [], []];
      const greedy = async (n: number) => {
        for (let tries = 0; !answered || tries === 0; tries++) {
          const accomplice = `accomplice-${n}-${tries}@example.com`;
          const [added, mine, theirs, key] = await Promise.all([
            eve.ask("POST", "/members", { email: accomplice, role: "admin" }),
            eve.ask("POST", "/members/link", { email: EVE }),
            eve.ask("POST", "/members/link", { email: ADA }),
            eve.ask("POST", "/keys", { name: "greedy" }),
          ]);
          if (added.status === 201) accomplices!.push(accomplice);
          for (const made of [mine, theirs]) if (made.status === 201) secrets!.push(made.body.data.url.split("#")[1]);
          if (key.status === 201) keys!.push(key.body.data.record.id);
        }
      };
      const trying = Promise.all([0, 1].map(greedy));
      const remove = () => ada.ask("POST", "/members/remove", { email: EVE });
      let removed = await remove();
      // Others are changing the members: Ada asks again, as the answer says.
      for (let n = 0; n < 3 && removed.status === 409; n++) removed = await remove();
      expect(removed).toMatchObject({ status: 204 });
      answered = true;
      const [atAnswer, keysAtAnswer] = [await emails(account), (await accounts.keys(account)).length];
      await trying;
      // What was promised to her was there when the removal was answered. Nothing comes after it.
      const working = (await accounts.keys(account)).filter(({ revoked_at }) => revoked_at === null);
      expect(working.map(({ key_id }) => key_id).toSorted()).toEqual(keys!.toSorted());
      expect((await emails(account)).toSorted()).toEqual([ADA, ...accomplices!].toSorted());
      expect(accomplices!.every((email) => atAnswer.includes(email))).toBe(true);
      expect(keys!.length).toBeLessThanOrEqual(keysAtAnswer);
      for (const secret of secrets!) {
        expect(await browser().ask("POST", "/sign-in/link", { secret })).toMatchObject(UNUSABLE);
      }
      expect(await eve.ask("GET", "/members")).toMatchObject(OVER);
    }
  });

  test("saves no search that stays", async () => {
    const account = await newAccount();
    const searches = createSearchStore(client, names.dashboard, { actor: EVE });
    const removed = async () => {
      throw new Error("removed");
    };
    const search = { account, name: "All", list: "funding", query: "" } as const;
    await expect(searches.create(search, removed)).rejects.toThrow("removed");
    expect(await searches.ofAccount(account)).toEqual([]);
  });

  test("is out of the dashboard and of the API, with more than 10,000 ended sessions beside theirs", async () => {
    const account = await newAccount();
    const [ada, eve] = [await signedIn(account), await signedIn(account, EVE)];
    const sessions = createSessionStore(client, names, { accounts, copies: createHotCopies(redis, service.namespace) });
    const { session } = await sessions.start({ account, member: EVE, stamp: "s", name: "ended" });
    const ended = { ...session, revoked_at: new Date().toISOString() };
    await storeCopies(ended, 10_050);
    const others = [await signedIn(account, EVE), await signedIn(account, EVE), eve];
    for (const other of others) await untilAdmitted(tokenOf(other));
    expect((await eve.ask("GET", "/sessions")).body.data).toHaveLength(3);
    expect(await ada.ask("POST", "/members/remove", { email: EVE })).toMatchObject({ status: 204 });
    for (const other of others) {
      expect(await api(tokenOf(other))).toBe(401);
      expect(await other.ask("GET", "/session")).toMatchObject(OVER);
    }
    expect((await ada.ask("GET", "/session")).status).toBe(200);
    await untilAdmitted(tokenOf(ada));
  });

  test("keeps nothing by a link that they made for somebody else", async () => {
    const account = await newAccount();
    const [ada, eve] = [await signedIn(account), await signedIn(account, EVE)];
    await members.add({ account, email: BOB, role: "admin" });
    const asBob = browser();
    await asBob.signIn((await eve.ask("POST", "/members/link", { email: BOB })).body.data.url);
    // A link of the session that she has as Bob is hers, too.
    const again = browser();
    await again.signIn((await asBob.ask("POST", "/members/link", { email: BOB })).body.data.url);
    expect((await again.ask("GET", "/session")).body.data.member).toBe(BOB);
    await ada.ask("POST", "/members/remove", { email: EVE });
    for (const session of [asBob, again]) expect(await session.ask("GET", "/session")).toMatchObject(OVER);
    expect(await emails(account)).toEqual([ADA, BOB]);
  });

  test("leaves the account's keys and feed links, and can be added again with a new link", async () => {
    const account = await newAccount();
    const [ada, eve] = [await signedIn(account), await signedIn(account, EVE)];
    const old = await link(account, EVE);
    const { key } = (await eve.ask("POST", "/keys", { name: "of the account" })).body.data;
    const search = { name: "All", list: "funding", query: "" };
    const { id } = (await eve.ask("POST", "/searches", search)).body.data;
    expect((await eve.ask("POST", `/searches/${id}/feeds`)).status).toBe(201);
    await ada.ask("POST", "/members/remove", { email: EVE });
    await untilAdmitted(key);
    expect((await ada.ask("GET", `/searches/${id}/follow`)).body.data.links).toHaveLength(1);

    await ada.ask("POST", "/members", { email: EVE, role: "admin" });
    expect(await eve.ask("GET", "/session")).toMatchObject(OVER);
    expect(await browser().ask("POST", "/sign-in/link", { secret: old })).toMatchObject(UNUSABLE);
    await eve.signIn(await link(account, EVE));
    expect((await eve.ask("GET", "/session")).body.data.member).toBe(EVE);
    await untilAdmitted(tokenOf(eve));
  });

  test("stays out when Redis forgets it, because Elasticsearch has it", async () => {
    const account = await newAccount();
    const [ada, eve] = [await signedIn(account), await signedIn(account, EVE)];
    await untilAdmitted(tokenOf(eve));
    await ada.ask("POST", "/members/remove", { email: EVE });
    await redis.del(accountRedisKeys(service.namespace, account).signOuts);
    expect(await api(tokenOf(eve))).toBe(401);
  });
});

describe("signing out everywhere", () => {
  test("leaves a thief no link that signs in, though they take links meanwhile", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const account = await newAccount();
      const [owner, thief] = [await signedIn(account), await signedIn(account)];
      await members.add({ account, email: BOB, role: "admin" });
      const secrets: string[] = [];
      const stealing = async () => {
        for (;;) {
          const made = await Promise.all(
            [ADA, BOB, ADA, BOB].map((email) => thief.ask("POST", "/members/link", { email })),
          );
          for (const { status, body } of made) if (status === 201) secrets.push(body.data.url.split("#")[1]);
          // 503: a machine that is too busy for Redis.
          if (made.some(({ status }) => status !== 201 && status !== 503)) return;
        }
      };
      const stolen = stealing();
      await expect.poll(() => secrets.length).toBeGreaterThan(0);
      expect(await owner.ask("POST", "/sign-out-everywhere")).toMatchObject({ status: 204 });
      await stolen;
      for (const secret of secrets) {
        expect(await browser().ask("POST", "/sign-in/link", { secret })).toMatchObject(UNUSABLE);
      }
      await signedIn(account);
    }
  });

  test("is over for the API when it is answered, and goes to the audit log once", async () => {
    const account = await newAccount();
    const sessions = [await signedIn(account), await signedIn(account), await signedIn(account)];
    const bob = await signedIn(account, BOB);
    for (const each of [...sessions, bob]) await untilAdmitted(tokenOf(each));
    expect(await sessions[0]!.ask("POST", "/sign-out-everywhere")).toMatchObject({ status: 204 });
    // It was cleared in the first browser.
    for (const each of sessions.slice(1)) expect(await api(tokenOf(each))).toBe(401);
    await untilAdmitted(tokenOf(bob));
    const ended = (await accounts.audit({ account })).filter(({ action }) => action === "session.end_all");
    expect(ended).toMatchObject([{ actor: `member:${ADA}`, details: { member: ADA } }]);
  });
});

test("the audit log names who made the link of a session that acts for somebody else", async () => {
  const account = await newAccount();
  const eve = await signedIn(account, EVE);
  await eve.ask("POST", "/members", { email: BOB, role: "admin" });
  const asBob = browser();
  await asBob.signIn((await eve.ask("POST", "/members/link", { email: BOB })).body.data.url);
  await asBob.ask("POST", "/keys", { name: "whose?" });
  const actor = `member:${BOB} (by a link of ${EVE})`;
  const audit = await accounts.audit({ account });
  expect(audit).toContainEqual(expect.objectContaining({ action: "key.create", actor }));
  expect(audit).toContainEqual(
    expect.objectContaining({
      action: "session.start",
      actor,
      details: expect.objectContaining({ member: BOB, link_by: EVE }),
    }),
  );
  await asBob.signIn(await link(account, BOB));
  await asBob.ask("POST", "/keys", { name: "Bob's" });
  expect((await accounts.audit({ account }))[0]).toMatchObject({ action: "key.create", actor: `member:${BOB}` });
});

test("a session ends after 14 days, or 7 without use, in the dashboard and for the API", async () => {
  const account = await newAccount();
  const copies = createHotCopies(redis, service.namespace);
  const startedAgo = async (days: number, usedAgo?: number) => {
    const { stamp } = await members.add({ account, email: ADA, role: "admin" });
    const store = createSessionStore(client, names, { accounts, copies, now: () => Date.now() - days * DAY_MS });
    const { token, session } = await store.start({ account, member: ADA, stamp, name: `${days} days` });
    const at = usedAgo === undefined ? undefined : new Date(Date.now() - usedAgo * DAY_MS).toISOString();
    if (at) await accounts.noteUses([{ hash: session.key_hash, at }]);
    return token;
  };
  const tokens = [await startedAgo(6.9), await startedAgo(13.9, 6.9), await startedAgo(7.1), await startedAgo(14.1, 0)];
  const now = createSessionStore(client, names, { accounts, copies });
  const found = await Promise.all(tokens.map(async (token) => (await now.find(token)) !== undefined));
  expect(found).toEqual([true, true, false, false]);
  expect((await now.ofMember(account, ADA)).map(({ name }) => name)).toEqual(["6.9 days", "13.9 days"]);
  for (const token of tokens.slice(0, 2)) await untilAdmitted(token);
  for (const token of tokens.slice(2)) expect(await api(token)).toBe(401);
});

describe("a suspended account", () => {
  test("saves and changes no searches, and may delete them", async () => {
    const account = await newAccount();
    const ada = await signedIn(account);
    const search = { name: "All", list: "funding", query: "" };
    const { id, version } = (await ada.ask("POST", "/searches", search)).body.data;
    await accounts.suspend(account);
    const refused = failed(403, "account_suspended");
    expect(await ada.ask("POST", "/searches", search)).toMatchObject(refused);
    expect(await ada.ask("PUT", `/searches/${id}`, { name: "Other", version })).toMatchObject(refused);
    expect((await ada.ask("DELETE", `/searches/${id}`)).status).toBe(204);
  });
});

describe("of more at once than there is room for", () => {
  /** Room that is left, and how many come at once. */
  const [ROOM, AT_ONCE] = [10, sized(40, 300)];
  /** How many of them succeeded. */
  const succeeded = async (create: (n: number) => Promise<unknown>): Promise<number> => {
    const results = await Promise.allSettled(Array.from({ length: AT_ONCE }, (_, n) => create(n)));
    return results.filter(({ status }) => status === "fulfilled").length;
  };

  test("no more keys are made than an account may have", async () => {
    const account = await newAccount();
    const before = MAX_WORKING - ROOM;
    await storeCopies((await accounts.createKey({ account, name: "first" })).record, before - 1);
    const made = await succeeded((n) => createKeyInRoom(accounts, { account, name: `key ${n}` }));
    const working = (await accounts.keys(account)).filter(({ revoked_at }) => revoked_at === null);
    expect(working).toHaveLength(before + made);
    expect(made).toBeLessThanOrEqual(ROOM);
  });

  test("no more feed links are made than an account may have", async () => {
    const account = (await accounts.account(await newAccount()))!;
    const links = createFeedLinkStore(client, names.accounts, { copies: createHotCopies(redis, service.namespace) });
    const create = () => links.create({ account, search: "s", name: "s", created_by: ADA });
    const before = MAX_FEED_LINKS - ROOM;
    await storeCopies((await create()).link, before - 1);
    const made = await succeeded(create);
    expect(await links.ofAccount(account.account)).toHaveLength(before + made);
    expect(made).toBeLessThanOrEqual(ROOM);
  });

  test("no more members are added than an account may have", async () => {
    const account = await newAccount();
    const store = createMemberStore(client, names, { copies: createHotCopies(redis, service.namespace) });
    const made = await succeeded((n) =>
      store.add({ account, email: `m${n}@example.com`, role: "viewer" }, { most: ROOM }),
    );
    expect(await store.ofAccount(account)).toHaveLength(made);
    expect(made).toBeLessThanOrEqual(ROOM);
  });
});
