import type { ChildProcess } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { assertNoneFailed } from "@tranche/shared/engines/search/bulk-results";
import { createDigestStore } from "@tranche/webhooks/digest-store";
import { createFollowStore } from "@tranche/webhooks/follow-store";
import { type Follow, followDocumentId, MAX_FOLLOWS, MAX_FOLLOWS_OF_ACCOUNT } from "@tranche/webhooks/follow";
import { createProgressStore } from "@tranche/webhooks/progress";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DashboardRequests } from "../apps/dashboard/routes/routes.ts";
import { createLimits } from "../apps/dashboard/requests/limits.ts";
import { CLAIMED_MS } from "../apps/dashboard/mail/tell-digests.ts";
import { ageDigests } from "./support/aged-digests.ts";
import { dashboardAccounts } from "./support/dashboard-accounts.ts";
import type { DashboardClient } from "./support/dashboard-client.ts";
import { type MailServer, openAll, startMailServer } from "./support/mail-server.ts";
import { timing } from "./support/pauses.ts";
import { freePort } from "./support/service.ts";
import { withService } from "./support/with-service.ts";
import { company, round } from "./support/writes.ts";

type FollowsView = DashboardRequests["GET /follows"]["data"];

// A dashboard that sends mails sends those of its whole installation, so no other may share this one.
const fixture = withService({ env: { TRANCHE_TRUSTED_PROXIES: "1" }, start: ["indexer", "api"] });
const { service, queues, client, names } = fixture;
const { accounts, members, newAccount, browser, signedIn } = dashboardAccounts(fixture);
const progress = createProgressStore(client, names.deliveries);
const digests = createDigestStore(client, names.deliveries);
const follows = createFollowStore(client, names, { actor: "ops:test" });

const failed = (status: number, code: string) => ({ status, body: { error: { code } } });
const LONG = { timeout: 60_000 };
/** Many look at once, and a look is a search. */
const UNTIL = { ...LONG, interval: 250 };
/** Two looks of the indexer and two of the dashboard, and some. */
const someLooks = () => pause(5 * timing.followsLook);
let server: MailServer;
let version = 1;
let people = 0;

/** Somebody whom no other test knows, and a company with an id of its own. */
const newEmail = () => `follower${++people}@example.com`;
const newCompany = async () => {
  const id = `follow-${randomUUID()}`;
  await write(company(version++, id, { name: `Company ${id}` }));
  return id;
};
async function write(...writes: Parameters<typeof queues.send>[0]) {
  await queues.send(writes, 1);
  await queues.settled();
}
const newRound = async (of: string) => {
  const id = `round-${randomUUID()}`;
  await write(round(version++, id, of, { amount_usd: 1_000_000 }));
  return id;
};
const pageOf = (id: string) => `${service.dashboard}/companies/${id}`;
const mailsTo = (email: string) => server.mails.filter(({ to }) => to.includes(email));
// Tests that run side by side have no `expect.poll`: it asks which test is running.
const untilMails = (email: string, count: number) =>
  vi.waitFor(() => expect(mailsTo(email)).toHaveLength(count), UNTIL);
const unsentOf = async (follow: string) =>
  (await digests.unsent()).filter(({ digest: { webhook } }) => webhook === follow);
/** As if days had passed since the last mail. */
const due = async (follow: string) => {
  await vi.waitFor(async () => expect(await unsentOf(follow)).toEqual([]), UNTIL);
  await ageDigests(client, names.deliveries, [follow]);
  await progress.change(follow, { next_attempt_at: null });
};

async function member(): Promise<{ account: string; email: string; ada: DashboardClient }> {
  const [account, email] = [await newAccount(), newEmail()];
  return { account, email, ada: await signedIn(account, email) };
}
/** Stores paused copies of a follow at once. */
async function copiesOf(id: string, length: number, more: Partial<Follow> = {}): Promise<void> {
  const paused = { ...(await follows.find(id))!, status: "paused", reason: "a copy", ...more };
  const operations = Array.from({ length }, (_, n) => {
    const copy = `${id}-${paused.member}-${n}`;
    return [{ create: { _id: followDocumentId(copy) } }, { ...paused, follow_id: copy, key_id: copy }];
  });
  assertNoneFailed(await client.bulk({ index: names.accounts, operations: operations.flat(), refresh: true }));
}
/** A channel of Slack, as far as its incoming webhook goes. Its answer can be changed. */
async function startChannel() {
  const channel = { url: "", status: 200, answer: "ok", messages: [] as { text: string; blocks: object[] }[] };
  const listening = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      if (channel.status === 200) channel.messages.push(JSON.parse(text));
      response.writeHead(channel.status, { location: server.url }).end(channel.answer);
    });
  }).listen(0, "127.0.0.1");
  await once(listening, "listening");
  channel.url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/services/T0/B0/sEcReT`;
  closing.push(() => listening.close());
  return channel;
}
const closing: (() => unknown)[] = [];

async function following(every = "at_once") {
  const id = await newCompany();
  const who = await member();
  const of = { kind: "companies", ids: [id], name: `Company ${id}` };
  const { status, body } = await who.ada.ask("POST", "/follows", { of, every });
  expect(status, JSON.stringify(body)).toBe(201);
  return { ...who, company: id, follow: body.data.id as string };
}

const key = randomBytes(32).toString("base64");
const startDashboard = () =>
  service.startDashboard({
    TRANCHE_SMTP_URL: server.url,
    TRANCHE_MAIL_FROM: "Tranche <tranche@example.com>",
    TRANCHE_WEBHOOK_KEY: key,
    TRANCHE_WEBHOOK_TARGETS: "any",
    // Mails name it, also after a restart.
    TRANCHE_DASHBOARD_PORT: port,
  });
let dashboard: ChildProcess;
let port: string;
beforeAll(async () => {
  [server, port] = [await startMailServer(), String(await freePort())];
  dashboard = await startDashboard();
});
afterAll(async () => {
  for (const close of closing) close();
  await server.close();
});

describe.concurrent("a follow by mail", () => {
  test("tells each change once: at once, and after that when the next mail is due", LONG, async () => {
    const { email, company: id, follow } = await following();
    await newRound(id);
    await untilMails(email, 1);
    const [first] = mailsTo(email);
    expect(first!.head).toContain(`Subject: Company ${id}: 1 round`);
    expect(first!.plain).toContain(`* Company ${id}: `);
    expect(first!.plain).toContain("$1M");
    expect(first!.plain).toContain(pageOf(id));
    expect(first!.html).toContain(`<b>Company ${id}: `);
    await newRound(id);
    await newRound(id);
    await someLooks();
    expect(mailsTo(email)).toHaveLength(1);
    const { next_attempt_at: next } = (await progress.read(follow))!.progress;
    expect(Date.parse(next!) - Date.now()).toBeGreaterThan(13 * 60_000);
    await due(follow);
    await untilMails(email, 2);
    expect(mailsTo(email)[1]!.head).toContain(": 2 rounds");
    await due(follow);
    await someLooks();
    expect(mailsTo(email)).toHaveLength(2);
  });

  test("waits for the hour of the day when it is daily", LONG, async () => {
    const { email, company: id, follow, ada } = await following("daily");
    await newRound(id);
    const waitsFor = async () => (await progress.read(follow))!.progress.next_attempt_at;
    await vi.waitFor(async () => expect(await waitsFor()).toMatch(/T07:00:00/), UNTIL);
    await someLooks();
    expect(mailsTo(email)).toEqual([]);
    expect((await ada.ask("PUT", `/follows/${follow}`, { every: "at_once" })).body.data.every).toBe("at_once");
    await untilMails(email, 1);
  });

  test("tells nothing sooner because its member changes how often it tells", LONG, async () => {
    const { email, company: id, follow, ada } = await following();
    await newRound(id);
    await untilMails(email, 1);
    await newRound(id);
    for (const every of ["daily", "at_once"]) {
      expect((await ada.ask("PUT", `/follows/${follow}`, { every })).status).toBe(200);
    }
    const waits = async () => Date.parse((await progress.read(follow))!.progress.next_attempt_at ?? "") - Date.now();
    await vi.waitFor(async () => expect(await waits()).toBeGreaterThan(0), UNTIL);
    await someLooks();
    expect(mailsTo(email)).toHaveLength(1);
    // Also when it is due by the hour of the day.
    await ada.ask("PUT", `/follows/${follow}`, { every: "daily" });
    await progress.change(follow, { next_attempt_at: null });
    await vi.waitFor(async () => expect(await waits()).toBeGreaterThan(0), UNTIL);
    expect(mailsTo(email)).toHaveLength(1);
    await due(follow);
    await untilMails(email, 2);
  });

  test(
    "ends by a POST of the mail program or of the page, as often as it comes, and never by a GET",
    LONG,
    async () => {
      const { email, company: id, follow, ada } = await following();
      await newRound(id);
      await untilMails(email, 1);
      const [mail] = mailsTo(email);
      const unfolded = mail!.head.replaceAll(/\r\n[ \t]+/g, " ");
      expect(unfolded).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
      const oneClick = /List-Unsubscribe: <([^>]+)>/.exec(unfolded)![1]!;
      const token = /\/unsubscribe#(\S+)/.exec(mail!.plain)![1]!;
      expect((await fetch(oneClick)).status).toBe(404);
      expect(await openAll(mail!)).toEqual(
        expect.arrayContaining([oneClick, `${service.dashboard}/unsubscribe#${token}`, pageOf(id)]),
      );
      expect((await ada.ask("POST", "/unsubscribe/look", { token })).body.data).toEqual({
        name: `Company ${id}`,
        email,
      });
      expect(await follows.find(follow)).toBeDefined();
      for (const wrong of ["x", `${follow}.${"A".repeat(24)}`, `${token}x`]) {
        const { status } = await ada.ask("POST", "/unsubscribe", { token: wrong });
        expect([204, 410]).toContain(status);
      }
      expect(await follows.find(follow)).toBeDefined();
      const press = () =>
        fetch(oneClick, {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: "List-Unsubscribe=One-Click",
        });
      const answers = await Promise.all([press(), press()]);
      answers.push(await press());
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
      expect(await follows.find(follow)).toBeUndefined();
      expect(await ada.ask("POST", "/unsubscribe/look", { token })).toMatchObject(failed(404, "not_found"));
      await newRound(id);
      await someLooks();
      expect(mailsTo(email)).toHaveLength(1);
    },
  );

  test("is paused when the mail server refuses the address, and resumed by its member", LONG, async () => {
    const { email, company: id, ada } = await following();
    server.bounce(email, true);
    await newRound(id);
    const shown = async () => ((await ada.ask("GET", "/follows")).body.data as FollowsView).follows[0]!;
    await vi.waitFor(async () => expect((await shown()).status).toBe("paused"), UNTIL);
    const { id: follow, reason } = await shown();
    expect(reason).toContain(`The mail server refuses mails to ${email}: 550`);
    server.bounce(email, false);
    expect((await ada.ask("PUT", `/follows/${follow}`, { resume: true })).body.data.status).toBe("active");
    // Nothing is lost by the refusal.
    await digests.claim((await unsentOf(follow))[0]!, new Date(Date.now() - CLAIMED_MS));
    await untilMails(email, 1);
  });

  test("of filters that no longer exist is paused, with the reason, and the others are told", LONG, async () => {
    const [{ email, company: id }, { ada, follow }] = [await following(), await following()];
    const doc = { query: "vanished=1", changed_at: new Date().toISOString() };
    await client.update({ index: names.accounts, id: followDocumentId(follow), doc, refresh: true });
    await newRound(id);
    const shown = async () => ((await ada.ask("GET", "/follows")).body.data as FollowsView).follows[0]!;
    await vi.waitFor(async () => expect((await shown()).status).toBe("paused"), UNTIL);
    expect((await shown()).reason).toMatch(/^Its filters are not understood any more: .*vanished/);
    await untilMails(email, 1);
  });

  test("ends with the membership", LONG, async () => {
    const { account, email, company: id, follow } = await following();
    await members.add({ account, email: "other@example.com", role: "admin" });
    await members.remove(account, email);
    await newRound(id);
    await vi.waitFor(async () => expect(await follows.find(follow)).toBeUndefined(), UNTIL);
    expect(mailsTo(email)).toEqual([]);
  });

  test("ends with the membership, also of somebody who is added again", LONG, async () => {
    const { account, email, company: id, follow } = await following();
    await members.add({ account, email: "other@example.com", role: "admin" });
    await members.remove(account, email);
    const again = await signedIn(account, email);
    await newRound(id);
    await vi.waitFor(async () => expect(await follows.find(follow)).toBeUndefined(), UNTIL);
    expect(mailsTo(email)).toEqual([]);
    const of = { kind: "companies", ids: [id], name: "Again" };
    expect((await again.ask("POST", "/follows", { of, every: "at_once" })).status).toBe(201);
    await newRound(id);
    await untilMails(email, 1);
  });

  test("of a membership before is not listed, and what it followed can be followed again", async () => {
    const { account, email, company: id, follow } = await following();
    await members.add({ account, email: "other@example.com", role: "admin" });
    await members.remove(account, email);
    const again = await signedIn(account, email);
    expect((await again.ask("GET", "/follows")).body.data.follows).toEqual([]);
    expect(await follows.find(follow)).toBeUndefined();
    const of = { kind: "companies", ids: [id], name: "Again" };
    expect((await again.ask("POST", "/follows", { of, every: "daily" })).status).toBe(201);
  });

  test("of a saved search has its filters, also those of later, and ends with it", LONG, async () => {
    const { email, ada } = await member();
    const [first, second] = [await newCompany(), await newCompany()];
    const search = (await ada.ask("POST", "/searches", { name: "Mine", list: "funding", query: `companies=${first}` }))
      .body.data;
    const of = { kind: "search", id: search.id };
    const made = await ada.ask("POST", "/follows", { of, every: "at_once" });
    expect(made).toMatchObject({ status: 201, body: { data: { name: "Mine", of } } });
    expect(await ada.ask("POST", "/follows", { of, every: "daily" })).toMatchObject(failed(409, "conflict"));
    const changed = { query: `companies=${second}&sort=amount_desc`, name: "Other", version: search.version };
    expect((await ada.ask("PUT", `/searches/${search.id}`, changed)).status).toBe(200);
    await newRound(first);
    await newRound(second);
    await untilMails(email, 1);
    expect(mailsTo(email)[0]!.plain).toContain(`Company ${second}`);
    expect(mailsTo(email)[0]!.plain).not.toContain(`Company ${first}`);
    expect((await ada.ask("DELETE", `/searches/${search.id}`)).status).toBe(204);
    expect((await ada.ask("GET", "/follows")).body.data.follows).toEqual([]);
  });

  test("is its member's own, at most 100 of at most 50 companies, and needs mails and an address that has signed in", async () => {
    const { account, ada } = await member();
    const companies = (count: number) => ({
      kind: "companies",
      ids: Array.from({ length: count }, (_, n) => `c${n}`),
      name: "Many",
    });
    const ask = (of: object) => ada.ask("POST", "/follows", { of, every: "daily" });
    expect(await ask(companies(51))).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("For more, save a search that finds them") } },
    });
    expect(await ask(companies(10_000))).toMatchObject({
      status: 413,
      body: { error: { message: expect.stringContaining("larger than 16kb") } },
    });
    expect(await ask(companies(0))).toMatchObject(failed(400, "invalid_request"));
    const { id } = (await ask(companies(50))).body.data;
    const bob = await signedIn(account, newEmail());
    expect((await bob.ask("GET", "/follows")).body.data.follows).toEqual([]);
    expect(await bob.ask("DELETE", `/follows/${id}`)).toMatchObject(failed(404, "not_found"));
    const rows = { name: "Rows", list: "signals", query: "" };
    const search = (await ada.ask("POST", "/searches", rows)).body.data.id;
    expect(await ask({ kind: "search", id: search })).toMatchObject(failed(409, "conflict"));
    await copiesOf(id, MAX_FOLLOWS - 1);
    expect(await ask({ kind: "investor", id: "one too many", name: "x" })).toMatchObject(failed(409, "conflict"));
    const channel = await startChannel();
    const inSlack = { of: companies(1), every: "daily", url: channel.url };
    expect(await ada.ask("POST", "/follows/slack", inSlack)).toMatchObject(failed(409, "conflict"));
    expect(channel.messages).toEqual([]);
    expect(await ask({ kind: "investor", id: "x".repeat(101), name: "x" })).toMatchObject(
      failed(400, "invalid_request"),
    );
    const eve = newEmail();
    await members.add({ account, email: eve, role: "viewer" });
    const asEve = browser();
    await asEve.signIn((await ada.ask("POST", "/members/link", { email: eve })).body.data.url);
    expect((await asEve.ask("GET", "/follows")).body.data.by_mail).toContain("a link of ");
    const wanted = { of: companies(1), every: "daily" };
    expect(await asEve.ask("POST", "/follows", wanted)).toMatchObject(failed(403, "forbidden"));
  });

  test("is begun at most 100 times a day by a member, in Slack as well as by mail", async () => {
    const { account, email, ada } = await member();
    const { url, messages } = await startChannel();
    const limits = createLimits(queues.redis, service.namespace);
    for (let n = 0; n < 99; n++) await limits.spend("follows_of", `${account}:${email}`);
    const wanted = { of: { kind: "investor", id: "i", name: "x" }, every: "daily" };
    const { id } = (await ada.ask("POST", "/follows", wanted)).body.data;
    expect((await ada.ask("DELETE", `/follows/${id}`)).status).toBe(204);
    expect(await ada.ask("POST", "/follows", wanted)).toMatchObject(failed(429, "too_many_requests"));
    const inSlack = await ada.ask("POST", "/follows/slack", { ...wanted, url });
    expect(inSlack).toMatchObject(failed(429, "too_many_requests"));
    expect(inSlack.body.error.message).toContain("You began to follow 100 things within a day");
    expect(messages).toEqual([]);
  });

  test("is one of at most 2,000 of an account, and the others are not read with what they follow", LONG, async () => {
    const { account, ada, follow } = await following();
    await copiesOf(follow, MAX_FOLLOWS_OF_ACCOUNT - 1, { member: "others@example.com" });
    const one = { of: { kind: "investor", id: "one too many", name: "x" }, every: "daily" };
    expect(await ada.ask("POST", "/follows", one)).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining("members of this account follow 2000 things") } },
    });
    expect((await ada.ask("DELETE", `/follows/${follow}`)).status).toBe(204);
    expect((await ada.ask("POST", "/follows", one)).status).toBe(201);
    const [active] = (await follows.active()).filter((found) => found.account === account);
    expect(Object.keys(active!)).not.toContain("of");
    expect(active).toMatchObject({ query: expect.stringContaining("investors="), every: "daily", list: "funding" });
    const query = { bool: { filter: [{ term: { kind: "follow" } }, { term: { account } }] } };
    const { hits } = await client.search({ index: names.accounts, query, size: 10_000, _source: false });
    await client.bulk({ operations: hits.hits.map(({ _index, _id }) => ({ delete: { _index, _id: _id! } })) });
  });
});

// One after the other, because no other mail is taken meanwhile.
describe("a follow by mail", () => {
  test("makes no digest while its last one is not mailed yet", LONG, async () => {
    const { company: id, follow, email } = await following();
    const before = server.refusals();
    server.refuse(true);
    await newRound(id);
    await expect.poll(() => server.refusals(), UNTIL).toBeGreaterThan(before);
    const [unsent] = await unsentOf(follow);
    await client.update({
      index: names.deliveries,
      id: unsent!.id,
      doc: { at: new Date(Date.now() - 2 * 86_400_000).toISOString() },
    });
    await newRound(id);
    await progress.change(follow, { next_attempt_at: null });
    await someLooks();
    expect(await unsentOf(follow)).toHaveLength(1);
    server.refuse(false);
    const [claimed] = await unsentOf(follow);
    await digests.claim(claimed!, new Date(Date.now() - CLAIMED_MS));
    await untilMails(email, 1);
    await due(follow);
    await untilMails(email, 2);
  });

  test("waits while the mail server is away, and is mailed once when it is back", LONG, async () => {
    const { email, company: id, follow } = await following();
    const before = server.refusals();
    server.refuse(true);
    await newRound(id);
    await expect.poll(() => server.refusals(), UNTIL).toBeGreaterThan(before);
    server.refuse(false);
    const [claimed] = await unsentOf(follow);
    expect(claimed!.digest.claimed_at).not.toBeNull();
    await digests.claim(claimed!, new Date(Date.now() - CLAIMED_MS));
    await untilMails(email, 1);
    await someLooks();
    expect(mailsTo(email)).toHaveLength(1);
  });

  test("is told once more, and no oftener, after a kill between sending a mail and noting it", LONG, async () => {
    const { email, company: id, follow } = await following();
    server.hold(true);
    await newRound(id);
    await untilMails(email, 1);
    dashboard.kill("SIGKILL");
    await once(dashboard, "exit");
    server.hold(false);
    dashboard = await startDashboard();
    const [claimed] = await unsentOf(follow);
    expect(claimed!.digest.claimed_at).not.toBeNull();
    // Nobody takes it over while whoever claimed it may still be sending it.
    await someLooks();
    expect(mailsTo(email)).toHaveLength(1);
    await digests.claim(claimed!, new Date(Date.now() - CLAIMED_MS));
    await untilMails(email, 2);
    const [first, again] = mailsTo(email).map(({ head, plain }) => [/^Message-ID:\s*(\S+)/im.exec(head)?.[1], plain]);
    expect(first![0]).toBeDefined();
    expect(again).toEqual(first);
    await due(follow);
    await someLooks();
    expect(mailsTo(email)).toHaveLength(2);
    await newRound(id);
    await untilMails(email, 3);
    expect(mailsTo(email)[2]!.head).toContain(": 1 round");
  });

  test("waits while the account is suspended", LONG, async () => {
    const { account, email, company: id, follow } = await following();
    const before = server.refusals();
    server.refuse(true);
    await newRound(id);
    await expect.poll(() => server.refusals(), UNTIL).toBeGreaterThan(before);
    await accounts.suspend(account);
    server.refuse(false);
    const tryAgain = async () => {
      const old = new Date(Date.now() - CLAIMED_MS);
      await expect
        .poll(async () => {
          const [claimed] = await unsentOf(follow);
          return claimed !== undefined && (await digests.claim(claimed, old)) !== undefined;
        }, UNTIL)
        .toBe(true);
    };
    await tryAgain();
    await someLooks();
    expect(await unsentOf(follow)).toHaveLength(1);
    expect(mailsTo(email)).toEqual([]);
    await accounts.resume(account);
    await tryAgain();
    await untilMails(email, 1);
  });
});

describe.concurrent("a follow in Slack", () => {
  /** Somebody who follows a company in a channel. */
  async function inSlack(plan?: string) {
    const [account, email] = [await newAccount("Slack", plan), newEmail()];
    const ada = await signedIn(account, email);
    const id = await newCompany();
    const channel = await startChannel();
    const wanted = { of: { kind: "companies", ids: [id], name: `Company ${id}` }, every: "at_once", url: channel.url };
    return { account, email, ada, company: id, channel, wanted };
  }

  test("greets its channel, tells each change there once, and pauses where Slack wants none", LONG, async () => {
    const { account, email, ada, company: id, channel, wanted } = await inSlack();
    const made = await ada.ask("POST", "/follows/slack", wanted);
    expect(made).toMatchObject({ status: 201, body: { data: { way: "slack", status: "active" } } });
    const follow = made.body.data.id as string;
    expect(channel.messages.map(({ text }) => text)).toEqual([`${email} follows “Company ${id}” here, at once.`]);
    await newRound(id);
    await vi.waitFor(() => expect(channel.messages).toHaveLength(2), { ...UNTIL, timeout: 12000 });
    expect(channel.messages[1]!.text).toBe(`Company ${id}: 1 round`);
    expect(JSON.stringify(channel.messages[1]!.blocks)).toContain(`|Company ${id}: `);
    // Neither the stores nor the pages have the address.
    expect(JSON.stringify([made.body, await follows.find(follow), (await ada.ask("GET", "/log")).body])).not.toContain(
      "sEcReT",
    );
    Object.assign(channel, { status: 503, answer: "" });
    await newRound(id);
    await due(follow);
    const claimed = async () => (await unsentOf(follow))[0];
    await vi.waitFor(async () => expect((await claimed())?.digest.claimed_at ?? null).not.toBeNull(), {
      ...UNTIL,
      timeout: 12000,
    });
    Object.assign(channel, { status: 410, answer: "channel_is_archived" });
    await digests.claim((await claimed())!, new Date(Date.now() - CLAIMED_MS));
    // The list of follows is a search: it shows the pause a moment after it is stored.
    const reason = async () => ((await ada.ask("GET", "/follows")).body.data as FollowsView).follows[0]!.reason;
    const ended = "410 channel_is_archived: the channel is archived.";
    await vi.waitFor(async () => expect((await reason()) ?? "").toContain(ended), { ...UNTIL, timeout: 12000 });
    Object.assign(channel, { status: 200, answer: "ok" });
    // Nobody who may not have webhooks makes one or resumes theirs.
    await members.add({ account, email: newEmail(), role: "admin" });
    await members.setRole(account, email, "viewer");
    expect(await ada.ask("POST", "/follows/slack", wanted)).toMatchObject(failed(403, "forbidden"));
    expect(await ada.ask("PUT", `/follows/${follow}`, { resume: true })).toMatchObject(failed(403, "forbidden"));
    await members.setRole(account, email, "developer");
    expect((await ada.ask("PUT", `/follows/${follow}`, { resume: true })).body.data.status).toBe("active");
    // It is told already where the pause came with the first attempt, before its claim was made older.
    const waiting = await claimed();
    if (waiting) await digests.claim(waiting, new Date(Date.now() - CLAIMED_MS));
    await vi.waitFor(() => expect(channel.messages).toHaveLength(3), { ...UNTIL, timeout: 12000 });
    expect(mailsTo(email)).toEqual([]);
  });

  test("is ended by an admin, as what comes by mail is, of which they see the number alone", LONG, async () => {
    const { account, email, ada, company: id, channel, wanted } = await inSlack();
    const slack = (await ada.ask("POST", "/follows/slack", wanted)).body.data.id as string;
    const mail = (await ada.ask("POST", "/follows", { of: wanted.of, every: "at_once" })).body.data.id as string;
    const [admin, stranger] = [await signedIn(account, newEmail()), await signedIn(await newAccount(), newEmail())];
    await members.setRole(account, email, "developer");
    const listed = async (by = admin) => (await by.ask("GET", "/members/follows")).body.data;
    const shown = { id: slack, name: `Company ${id}`, every: "at_once", status: "active", reason: null };
    expect(await listed()).toMatchObject([{ email, by_mail: 1, in_slack: [shown] }]);
    expect(JSON.stringify(await listed())).not.toContain("sEcReT");
    expect(await listed(stranger)).toEqual([]);
    expect(await ada.ask("POST", "/members/follows/end", { email })).toMatchObject(failed(403, "forbidden"));
    const end = (body: object, by = admin) => by.ask("POST", "/members/follows/end", body);
    for (const refused of [end({ email, id: mail }), end({ email: newEmail(), id: slack })]) {
      expect(await refused).toMatchObject(failed(404, "not_found"));
    }
    expect(await end({ email, id: slack }, stranger)).toMatchObject(failed(404, "not_found"));
    await end({ email }, stranger);
    expect(await listed()).toMatchObject([{ email, by_mail: 1, in_slack: [shown] }]);

    expect((await end({ email, id: slack })).status).toBe(204);
    expect(await listed()).toEqual([{ email, by_mail: 1, in_slack: [] }]);
    expect((await end({ email })).status).toBe(204);
    expect(await listed()).toEqual([]);
    await newRound(id);
    await someLooks();
    expect([channel.messages.length, mailsTo(email)]).toEqual([1, []]);
    const told = (await admin.ask("GET", "/log")).body.data.entries.map(({ what }: { what: string }) => what);
    expect(told.filter((what: string) => what === `ended what ${email} followed`)).toHaveLength(2);
  });

  test("is not made where nothing can be posted, and counts like a webhook", LONG, async () => {
    const { account, ada, channel, wanted } = await inSlack("starter");
    const refused = async (url: string) => {
      const { status, body } = await ada.ask("POST", "/follows/slack", { ...wanted, url });
      expect(status, JSON.stringify(body)).toBe(400);
      expect(body.error.details).toMatchObject([{ parameter: "url" }]);
      return body.error.message as string;
    };
    Object.assign(channel, { status: 302 });
    expect(await refused(channel.url)).toContain("redirects");
    Object.assign(channel, { status: 404, answer: "no_service" });
    expect(await refused(channel.url)).toContain("404 no_service");
    expect(await refused("https://")).toContain("not an address");
    Object.assign(channel, { status: 200 });
    const made = await ada.ask("POST", "/follows/slack", wanted);
    expect(made.status).toBe(201);
    const more = await ada.ask("POST", "/follows/slack", wanted);
    expect(more).toMatchObject(failed(409, "conflict"));
    expect(more.body.error.message).toContain("allows 1 webhook or follow in Slack");
    expect(channel.messages.length).toBe(1);
    const webhook = { name: "x", list: "funding", query: "", url: channel.url, from: "now" };
    expect(await ada.ask("POST", "/webhooks", webhook)).toMatchObject(failed(409, "conflict"));
    const resume = () => ada.ask("PUT", `/follows/${made.body.data.id}`, { resume: true });
    expect((await resume()).status).toBe(200);
    // Those of somebody who is gone do not count.
    await copiesOf(made.body.data.id, 1, { member: "gone@example.com" });
    expect((await resume()).status).toBe(200);
    // As many as a larger plan allowed.
    await copiesOf(made.body.data.id, 1);
    expect(await resume()).toMatchObject(failed(409, "conflict"));
    // They go with their member.
    await signedIn(account, newEmail());
    expect((await ada.ask("POST", "/members/leave")).status).toBe(204);
    expect((await follows.ofAccount(account)).map((follow) => follow.member)).toEqual(["gone@example.com"]);
  });
});
