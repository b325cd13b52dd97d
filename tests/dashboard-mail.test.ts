import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { createSignIns } from "@tranche/shared/accounts/sign-ins";
import { PAUSED_BY_OWNER, pausedAt } from "@tranche/webhooks/webhook";
import { createWebhookStore } from "@tranche/webhooks/webhook-store";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dashboardAccounts } from "./support/dashboard-accounts.ts";
import { openDashboard } from "./support/dashboard-client.ts";
import { type MailServer, startMailServer } from "./support/mail-server.ts";
import { timing } from "./support/pauses.ts";
import { withService } from "./support/with-service.ts";

// A dashboard that sends mails sends those of its whole installation, so no other may share this one.
const fixture = withService({ env: { TRANCHE_TRUSTED_PROXIES: "1" }, start: ["api"] });
const { service } = fixture;
const { accounts, members, newAccount, browser } = dashboardAccounts(fixture);
let server: MailServer;
let withoutMail: string;
let people = 0;
/** Somebody whom no other test knows. */
const newEmail = () => `person${++people}@example.com`;

const failed = (status: number, code: string) => ({ status, body: { error: { code } } });
const mailsTo = (email: string) => server.mails.filter(({ to }) => to.includes(email));
async function mailTo(email: string) {
  await expect.poll(() => mailsTo(email).length, { timeout: 30_000 }).toBe(1);
  return mailsTo(email)[0]!;
}
const linksIn = (text: string) => text.match(/https?:\/\/[^\s"<]+#[\w-]{32}/g) ?? [];
const settings = () => ({ TRANCHE_SMTP_URL: server.url, TRANCHE_MAIL_FROM: "Tranche <tranche@example.com>" });

beforeAll(async () => {
  server = await startMailServer();
  await service.startDashboard();
  withoutMail = service.dashboard;
  await service.startDashboard(settings());
});
afterAll(() => server.close());

describe("a sign-in mail", () => {
  test("has a link for each account of a member, and each link signs in to its own", async () => {
    const email = newEmail();
    const [acme, other, gone] = [
      await newAccount("Acme"),
      await newAccount("Böhm & <b>Sons</b>"),
      await newAccount("Gone"),
    ];
    for (const account of [acme, other, gone]) await members.add({ account, email, role: "admin" });
    await accounts.remove(gone);
    const asked = await browser().ask("POST", "/sign-in/email", { email: email.toUpperCase() });
    expect(asked).toMatchObject({ status: 202, body: { data: { minutes: 15 } } });
    const mail = await mailTo(email);
    expect(mail).toMatchObject({ from: "tranche@example.com", to: [email] });
    expect(mail.head).toContain("Subject: Sign in to Tranche");
    expect(mail.plain).toContain(`Böhm & <b>Sons</b> (${other}):`);
    expect(mail.html).toContain(`Böhm &amp; &lt;b&gt;Sons&lt;/b&gt; (${other})`);
    expect(mail.html).not.toContain("<b>");
    expect(mail.plain).not.toContain("Gone");
    const links = linksIn(mail.plain);
    expect(new Set(linksIn(mail.html))).toEqual(new Set(links));
    const signedInTo = new Set<string>();
    for (const url of links) {
      expect(url.startsWith(`${service.dashboard}/sign-in#`)).toBe(true);
      const someone = browser();
      await someone.signIn(url);
      signedInTo.add((await someone.ask("GET", "/session")).body.data.account.id);
    }
    expect(signedInTo).toEqual(new Set([acme, other]));
  });

  test("leads to the dashboard's own address, whatever the request says of it", async () => {
    const email = newEmail();
    await members.add({ account: await newAccount(), email, role: "admin" });
    const asked = await request(`${service.dashboard}/api/sign-in/email`, {
      method: "POST",
      headers: {
        host: "evil.example",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "https",
        "x-forwarded-for": "198.51.100.1",
        "content-type": "application/json",
      },
      body: JSON.stringify({ email }),
    });
    expect(asked.statusCode).toBe(202);
    const mail = await mailTo(email);
    expect(mail.plain + mail.html + mail.head).not.toContain("evil.example");
    expect(linksIn(mail.plain)[0]!.startsWith(service.dashboard)).toBe(true);
  });

  test("goes to members only, and the answer does not reveal who is one", async () => {
    const account = await newAccount();
    const [known, unknown] = [[], []] as [string[], string[]];
    for (let n = 0; n < 10; n++) {
      known.push(newEmail());
      unknown.push(newEmail());
      await members.add({ account, email: known[n]!, role: "admin" });
    }
    const [first, second] = [browser(), browser()];
    const times: Record<string, number[]> = { known: [], unknown: [] };
    const ask = async (kind: string, who: ReturnType<typeof browser>, email: string) => {
      const begun = performance.now();
      const { status, body, headers } = await who.ask("POST", "/sign-in/email", { email });
      times[kind]!.push(performance.now() - begun);
      const same = [...headers].filter(([name]) => !["date", "x-request-id"].includes(name));
      return { status, body, same };
    };
    for (let n = 0; n < 10; n++) {
      expect(await ask("unknown", first, unknown[n]!)).toEqual(await ask("known", second, known[n]!));
    }
    for (const email of known) await mailTo(email);
    await pause(200);
    expect(unknown.flatMap(mailsTo)).toEqual([]);
    // The mail is sent after the answer. A look-up and a mail would take several times as long as the answer does.
    const median = (of: number[]) => of.toSorted((a, b) => a - b)[5]!;
    expect(median(times["known"]!)).toBeLessThan(median(times["unknown"]!) * 3 + 10);
  });

  test("is sent to one e-mail address 5 times in a quarter of an hour, member or not", async () => {
    const [known, unknown] = [newEmail(), newEmail()];
    await members.add({ account: await newAccount(), email: known, role: "admin" });
    for (const email of [known, unknown]) {
      for (let n = 0; n < 5; n++) expect((await browser().ask("POST", "/sign-in/email", { email })).status).toBe(202);
      const refused = await browser().ask("POST", "/sign-in/email", { email: ` ${email.toUpperCase()}` });
      expect(refused).toMatchObject(failed(429, "too_many_requests"));
      expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    }
    await expect.poll(() => mailsTo(known).length).toBe(5);
  });

  test("is asked for 20 times from one IP address, or one IPv6 network", async () => {
    for (const address of [() => "198.51.100.2", (n: number) => `2001:db8::${n.toString(16)}`]) {
      const ask = (n: number) =>
        browser().ask("POST", "/sign-in/email", { email: newEmail() }, { "X-Forwarded-For": address(n) });
      for (let n = 0; n < 20; n++) expect((await ask(n)).status).toBe(202);
      expect(await ask(20)).toMatchObject(failed(429, "too_many_requests"));
    }
  });

  test.each([
    ["nobody"],
    ["a@example.com, b@example.com"],
    ["a@example.com\nBcc: b@example.com"],
    ["x".repeat(10_000)],
    [7],
    [null],
  ])("is not sent to %j", async (email) => {
    const before = server.mails.length;
    expect(await browser().ask("POST", "/sign-in/email", { email })).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", parameter: "email" } },
    });
    expect(server.mails.length).toBe(before);
  });

  test("that the mail server refuses changes nothing in the answer", async () => {
    const email = newEmail();
    await members.add({ account: await newAccount(), email, role: "admin" });
    server.refuse(true);
    const before = server.refusals();
    expect((await browser().ask("POST", "/sign-in/email", { email })).status).toBe(202);
    await expect.poll(() => server.refusals()).toBe(before + 1);
    server.refuse(false);
    expect(mailsTo(email)).toEqual([]);
    expect((await browser().ask("POST", "/sign-in/email", { email })).status).toBe(202);
    await mailTo(email);
  });
});

test("without a mail server the page says so, and nothing can be asked for", async () => {
  const nobody = openDashboard(withoutMail);
  expect((await nobody.ask("GET", "/sign-in")).body.data.by_email).toBe(false);
  expect(await nobody.ask("POST", "/sign-in/email", { email: newEmail() })).toMatchObject(failed(404, "not_found"));
});

test("a mail server without a sender is refused at the start, without its password", async () => {
  const started = service.startDashboard({ TRANCHE_SMTP_URL: server.url });
  await expect(started).rejects.toThrow("TRANCHE_SMTP_URL needs TRANCHE_MAIL_FROM");
  await expect(started).rejects.not.toThrow("s3cret");
});

test("notes say which members have signed in by a link of their own", async () => {
  const signIns = createSignIns(fixture.client, fixture.names);
  const account = await newAccount();
  const [noted, asOther, never, elsewhere] = [newEmail(), newEmail(), newEmail(), newEmail()];
  const by = { email: noted, stamp: "stamp" };
  await signIns.note({ account, email: noted });
  await signIns.note({ account, email: asOther, by });
  await signIns.note({ account: await newAccount(), email: elsewhere });
  const asked = [noted, asOther, never, elsewhere];
  expect(await signIns.among(asked, account)).toEqual(new Set([noted]));
  expect(await signIns.among([], account)).toEqual(new Set());
});

describe("a mail about a paused webhook", () => {
  const webhooks = createWebhookStore(fixture.client, fixture.names.accounts, { actor: "indexer" });
  const paused = async (account: string, name: string, reason: string) => {
    const at = new Date().toISOString();
    const webhook_id = randomUUID();
    await webhooks.create({
      kind: "webhook",
      webhook_id,
      account,
      name,
      list: "funding",
      query: "",
      url: "https://hooks.example.com/",
      secrets: [],
      status: "paused",
      reason,
      created_at: at,
      created_by: "ada@example.com",
      changed_at: at,
      paused_at: at,
    });
    return webhook_id;
  };

  test("goes once to each member, with the reason and the way to resume it, unless its owner paused it", async () => {
    const account = await newAccount("Acme");
    const both = [newEmail(), newEmail()];
    const signIns = createSignIns(fixture.client, fixture.names);
    for (const email of both) {
      await members.add({ account, email, role: "admin" });
      await signIns.note({ account, email });
    }
    const stranger = newEmail();
    await members.add({ account, email: stranger, role: "admin" });
    const id = await paused(
      account,
      "Deals\r\nSubject: <b>x</b> http://evil.example/",
      "The receiver answered 410 Gone.",
    );
    await paused(account, "Holiday", PAUSED_BY_OWNER);

    for (const email of both) {
      await expect.poll(() => mailsTo(email).length, { timeout: 60_000 }).toBe(1);
      const mail = mailsTo(email)[0]!;
      expect(mail.head).toContain("Subject: A webhook is paused");
      expect(mail.head).not.toContain("<b>");
      expect(mail.plain).toContain("The webhook “Deals Subject: <b>x</b> …” of the account Acme is paused");
      expect(mail.plain).toContain("Why: The receiver answered 410 Gone.");
      expect(mail.plain).toContain(`/dashboard/webhooks/${id}`);
      expect(mail.html).not.toContain("<b>");
    }
    const someLooks = 2 * timing.pausedWebhooksLook;
    // The next look sends nothing, whatever changes in a webhook that stays paused.
    await webhooks.change(id, "webhook.rotate", () => ({}));
    await pause(someLooks);
    // Another pause of the same webhook within six hours is no news, and who never signed in has agreed to nothing.
    await webhooks.change(id, "webhook.pause", () => pausedAt(Date.now(), "The receiver answered 410 Gone."));
    await pause(someLooks);
    expect([...both, stranger].map((email) => mailsTo(email).length)).toEqual([1, 1, 0]);
  });
});
