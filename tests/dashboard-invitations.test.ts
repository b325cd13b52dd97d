import { createLinkStore } from "@tranche/shared/accounts/link-store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dashboardAccounts } from "./support/dashboard-accounts.ts";
import { type MailServer, openAll, startMailServer } from "./support/mail-server.ts";
import { withSharedService } from "./support/with-service.ts";

const fixture = withSharedService();
const { service, client, names } = fixture;
const { accounts, members, newAccount, browser, link, signedIn } = dashboardAccounts(fixture);

const DAY_MS = 86_400_000;
let people = 0;
const newEmail = () => `invited${++people}@example.com`;
const failed = (status: number, code: string) => ({ status, body: { error: { code } } });
const secretIn = (text: string) => /\/dashboard\/invitation#([\w-]{32})/.exec(text)![1]!;
const look = async (secret: string) => (await browser().ask("POST", "/invitations/look", { secret })).body.data;

describe("where no mails are sent, an invitation", () => {
  async function invited(role = "developer") {
    const [account, email] = [await newAccount(), newEmail()];
    const ada = await signedIn(account);
    const { status, body } = await ada.ask("POST", "/members", { email, role });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ email, role, mail: "none", days: 7 });
    return { account, email, ada, secret: secretIn(body.data.url) };
  }

  test("is a link to copy, and signs in once, in the name of both", async () => {
    const { account, email, ada, secret } = await invited();
    expect(await look(secret)).toMatchObject({
      state: "open",
      account_name: "Acme",
      email,
      role: "developer",
      invited_by: "ada@example.com",
      by_email: false,
    });
    const shown = async () => (await ada.ask("GET", "/members")).body.data.members[1];
    expect(Date.parse((await shown()).invited_until) - Date.now()).toBeGreaterThan(6.9 * DAY_MS);
    const answers = await Promise.all(
      [browser(), browser(), browser()].map((each) => each.ask("POST", "/invitations/accept", { secret })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 410, 410]);
    expect(await look(secret)).toMatchObject({ state: "used", used_at: expect.any(String) });
    expect((await shown()).invited_until).toBeNull();
    expect((await accounts.audit({ account })).slice(0, 3)).toMatchObject([
      { action: "session.start", actor: `member:${email} (by a link of ada@example.com)` },
      { action: "member.invite", actor: "member:ada@example.com", details: { email } },
      { action: "member.add", actor: "member:ada@example.com", details: { email, role: "developer" } },
    ]);
  });

  test("is no sign-in link, and a sign-in link is no invitation", async () => {
    const { account, email, secret } = await invited();
    expect(await browser().ask("POST", "/sign-in/link", { secret })).toMatchObject(failed(410, "link_unusable"));
    expect(await browser().ask("POST", "/sign-in/look", { secret })).toMatchObject(failed(410, "link_unusable"));
    const other = await link(account, email);
    expect(await browser().ask("POST", "/invitations/accept", { secret: other })).toMatchObject(
      failed(410, "link_unusable"),
    );
    expect(await look(secret)).toMatchObject({ state: "open" });
  });

  test("ends with the membership of either, and with the next one", async () => {
    const first = await invited();
    await first.ada.ask("POST", "/members/remove", { email: first.email });
    expect(await look(first.secret)).toMatchObject({ state: "ended", role: null });

    const second = await invited("admin");
    await members.remove(second.account, "ada@example.com");
    expect(await look(second.secret)).toMatchObject({ state: "ended" });
    expect(await browser().ask("POST", "/invitations/accept", { secret: second.secret })).toMatchObject(
      failed(410, "link_unusable"),
    );

    const third = await invited();
    const again = await third.ada.ask("POST", "/members/invite", { email: third.email });
    expect(await look(secretIn(again.body.data.url))).toMatchObject({ state: "open" });
    expect(await browser().ask("POST", "/invitations/look", { secret: third.secret })).toMatchObject(
      failed(410, "link_unusable"),
    );
    expect(await third.ada.ask("POST", "/members/invite", { email: newEmail() })).toMatchObject(
      failed(404, "not_found"),
    );
  });

  test("expires after 7 days", async () => {
    const account = await newAccount();
    const email = newEmail();
    await members.add({ account, email, role: "viewer" });
    const madeAgo = (days: number) =>
      createLinkStore(client, names, { kind: "invitation", now: () => Date.now() - days * DAY_MS }).create({
        account,
        email,
      });
    expect(await look(await madeAgo(6.9))).toMatchObject({ state: "open" });
    const old = await madeAgo(7.1);
    expect(await look(old)).toMatchObject({ state: "expired" });
    expect(await browser().ask("POST", "/invitations/accept", { secret: old })).toMatchObject(
      failed(410, "link_unusable"),
    );
  });

  test.each([["x"], [""], ["x".repeat(101)], [7], [null]])("is not %j", async (secret) => {
    for (const what of ["look", "accept"]) {
      const { status } = await browser().ask("POST", `/invitations/${what}`, { secret });
      expect([400, 410]).toContain(status);
    }
  });
});

describe("where mails are sent, an invitation", () => {
  let server: MailServer;
  const mailsTo = (email: string) => server.mails.filter(({ to }) => to.includes(email));
  beforeAll(async () => {
    server = await startMailServer();
    await service.startDashboard({ TRANCHE_SMTP_URL: server.url, TRANCHE_MAIL_FROM: "Tranche <tranche@example.com>" });
  });
  afterAll(() => server.close());

  async function invited(name?: string) {
    const [account, email] = [await newAccount(name), newEmail()];
    const ada = await signedIn(account);
    const answer = await ada.ask("POST", "/members", { email, role: "viewer" });
    expect(answer.body.data).toEqual({ email, role: "viewer", days: 7, mail: "sent" });
    const [mail] = mailsTo(email);
    return { account, email, ada, mail: mail!, secret: secretIn(mail!.plain) };
  }

  test("comes by mail, and leads to a sign-in link that goes to the invited address alone", async () => {
    const { email, ada, mail, secret } = await invited("<script>alert(1)</script>");
    expect(mail.head).toContain("Subject: An invitation to Tranche");
    expect(mail.plain).toContain("ada@example.com invites you to the account <script>alert(1)</script>, as viewer.");
    expect(mail.html).not.toContain("<script>");
    expect((await openAll(mail)).join()).toContain(secret);
    expect(await look(secret)).toMatchObject({ state: "open", by_email: true });
    // Whoever it was forwarded to is not signed in.
    const stranger = browser();
    expect(await stranger.ask("POST", "/invitations/accept", { secret })).toMatchObject({
      status: 202,
      body: { data: { signed_in: false, email, minutes: 15 } },
    });
    expect(stranger.cookies.size).toBe(0);
    expect(mailsTo(email)).toHaveLength(2);
    await openAll(mailsTo(email)[1]!);
    const bob = browser();
    await bob.signIn(/\/sign-in#[\w-]{32}/.exec(mailsTo(email)[1]!.plain)![0]);
    expect((await bob.ask("GET", "/session")).body.data).toMatchObject({ member: email, role: "viewer" });
    expect(await browser().ask("POST", "/invitations/accept", { secret })).toMatchObject(failed(410, "link_unusable"));
    expect(await look(secret)).toMatchObject({ state: "used" });
    // It rests on nobody else: the inviter signs out everywhere.
    await ada.ask("POST", "/sign-out-everywhere");
    expect((await bob.ask("GET", "/session")).status).toBe(200);
  });

  test("is still there when the mail server takes no mail", async () => {
    const { email, secret } = await invited();
    server.refuse(true);
    expect(await browser().ask("POST", "/invitations/accept", { secret })).toMatchObject(failed(503, "unavailable"));
    server.refuse(false);
    expect(await look(secret)).toMatchObject({ state: "open" });
    expect((await browser().ask("POST", "/invitations/accept", { secret })).status).toBe(202);
    expect(mailsTo(email)).toHaveLength(2);
  });

  test("that can't be sent comes as a link to copy, and the member is there", async () => {
    const [account, email] = [await newAccount(), newEmail()];
    const ada = await signedIn(account);
    server.refuse(true);
    const { body } = await ada.ask("POST", "/members", { email, role: "viewer" });
    server.refuse(false);
    expect(body.data).toMatchObject({ email, mail: "failed" });
    expect(await look(secretIn(body.data.url))).toMatchObject({ state: "open", email });
    expect((await members.ofAccount(account)).map((member) => member.email)).toContain(email);
  });

  test("is mailed to one address 5 times in a quarter of an hour, whoever asks", async () => {
    const { email, ada, secret } = await invited();
    for (let n = 0; n < 4; n++) expect((await ada.ask("POST", "/members/invite", { email })).status).toBe(200);
    expect(await ada.ask("POST", "/members/invite", { email })).toMatchObject(failed(429, "too_many_requests"));
    const newest = secretIn(mailsTo(email).at(-1)!.plain);
    expect(newest).not.toBe(secret);
    expect(await browser().ask("POST", "/invitations/accept", { secret: newest })).toMatchObject(
      failed(429, "too_many_requests"),
    );
    expect(await look(newest)).toMatchObject({ state: "open" });
  });
});
