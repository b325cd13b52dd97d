import { keyDocumentId } from "@tranche/shared/accounts/account";
import { hashOfKey, newApiKey } from "@tranche/shared/accounts/api-key";
import { createSessionStore } from "@tranche/shared/accounts/session-store";
import { createLinkStore } from "@tranche/shared/accounts/link-store";
import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { dashboardAccounts } from "./support/dashboard-accounts.ts";
import { withSharedService } from "./support/with-service.ts";
import { withinASecond } from "./support/within-a-second.ts";

const fixture = withSharedService();
const { service, client, names, engines } = fixture;
const { accounts, newAccount, browser, link, signedIn } = dashboardAccounts(fixture);

const DAY_MS = 86_400_000;
const failed = (status: number, code: string) => ({ status, body: { error: { code } } });
const OVER = failed(401, "signed_out");
const UNUSABLE = failed(410, "link_unusable");

/** Spends the limit of wrong cookies of an IP address. */
async function sendWrongCookies(name: string, account: string, address: Record<string, string>): Promise<void> {
  const neighbour = browser(address);
  const ask = () => {
    neighbour.cookies.set(name, newApiKey(account));
    return neighbour.ask("GET", "/session");
  };
  for (let n = 0; n < 61; n++) await ask();
  expect((await ask()).status).toBe(429);
}

describe("a link", () => {
  test("signs in once, to the account that it was made for", async () => {
    const account = await newAccount();
    const secret = await link(account, "ada@example.com");
    const ada = browser();
    for (let looks = 0; looks < 3; looks++) {
      expect(await ada.ask("POST", "/sign-in/look", { secret })).toMatchObject({
        status: 200,
        body: { data: { account_name: "Acme", member: "ada@example.com" } },
      });
    }
    await ada.signIn(secret);
    expect(await ada.ask("GET", "/session")).toMatchObject({
      status: 200,
      body: { data: { account: { id: account, name: "Acme" }, member: "ada@example.com" } },
    });
    for (const path of ["/sign-in/link", "/sign-in/look"]) {
      const other = browser();
      expect(await other.ask("POST", path, { secret })).toMatchObject(UNUSABLE);
      expect(other.cookies.size).toBe(0);
    }
  });

  test("from `ops` leads to the dashboard's own address", async () => {
    const made = await service.ops([
      "accounts",
      "sign-in-link",
      "--account",
      await newAccount(),
      "--email",
      "Ada@Example.com",
      "--json",
    ]);
    const { url, email } = JSON.parse(made.stdout) as { url: string; email: string };
    expect(email).toBe("ada@example.com");
    expect(url.startsWith(`${service.dashboard}/sign-in#`)).toBe(true);
    await browser().signIn(url);
  });

  test("works for 15 minutes", async () => {
    const account = await newAccount();
    const [late, inTime] = [await link(account, "ada@example.com", 15.1), await link(account, "ada@example.com", 14)];
    expect(await browser().ask("POST", "/sign-in/look", { secret: late })).toMatchObject(UNUSABLE);
    expect(await browser().ask("POST", "/sign-in/link", { secret: late })).toMatchObject(UNUSABLE);
    expect(await browser().ask("POST", "/sign-in/link", { secret: inTime })).toMatchObject({ status: 201 });
  });

  test("that is used 20 times at once gives one session", async () => {
    const account = await newAccount();
    const secret = await link(account, "ada@example.com");
    const browsers = Array.from({ length: 20 }, () => browser());
    const answers = await Promise.all(browsers.map((each) => each.ask("POST", "/sign-in/link", { secret })));
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([count(201), count(410)]).toEqual([1, 19]);
    expect(browsers.filter(({ cookies }) => cookies.size > 0)).toHaveLength(1);
    const ada = await signedIn(account);
    expect((await ada.ask("GET", "/sessions")).body.data).toHaveLength(2);
  });

  test.each([
    ["never existed", { secret: "A".repeat(32) }, UNUSABLE],
    ["is empty", { secret: "" }, UNUSABLE],
    ["is very long", { secret: "A".repeat(10_000) }, failed(400, "invalid_request")],
    ["is not a text", { secret: { $ne: null } }, failed(400, "invalid_request")],
    ["is missing", {}, failed(400, "invalid_request")],
    ["is larger than any body", { secret: "A".repeat(20_000) }, failed(413, "too_large")],
  ])("that %s signs nobody in", async (_what, body, expected) => {
    const nobody = browser();
    for (const path of ["/sign-in/look", "/sign-in/link"]) {
      expect(await nobody.ask("POST", path, body)).toMatchObject(expected);
    }
    expect(nobody.cookies.size).toBe(0);
  });

  test("in a form of another site signs nobody in", async () => {
    const secret = await link(await newAccount(), "ada@example.com");
    const response = await fetch(`${service.dashboard}/api/sign-in/link`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: `secret=${secret}`,
    });
    expect([response.status, response.headers.getSetCookie()]).toEqual([400, []]);
    const foreign: Record<string, string>[] = [{ "Sec-Fetch-Site": "cross-site" }, { Origin: "https://evil.example" }];
    for (const headers of foreign) {
      const other = browser();
      expect(await other.ask("POST", "/sign-in/link", { secret }, headers)).toMatchObject(failed(403, "wrong_origin"));
    }
    await browser().signIn(secret);
  });

  test("of a signed-in member ends the session that it replaces", async () => {
    const account = await newAccount();
    const ada = await signedIn(account);
    const before = [...ada.cookies];
    await ada.signIn(await link(account, "ada@example.com"));
    expect((await ada.ask("GET", "/sessions")).body.data).toHaveLength(1);
    const kept = browser();
    for (const [name, value] of before) kept.cookies.set(name, value);
    expect(await kept.ask("GET", "/session")).toMatchObject(OVER);
  });

  test("signs in with an old cookie beside a neighbour who sends wrong ones", async () => {
    const account = await newAccount();
    const ada = await signedIn(account);
    const [[name, token]] = [...ada.cookies] as [[string, string]];
    await ada.ask("POST", "/sign-out");
    const address = { "X-Forwarded-For": "198.51.100.9" };
    await sendWrongCookies(name, account, address);
    ada.cookies.set(name, token);
    expect(await ada.ask("GET", "/sign-in", undefined, address)).toMatchObject({
      status: 200,
      body: { data: { signed_in: null } },
    });
    const secret = await link(account, "ada@example.com");
    expect((await ada.ask("POST", "/sign-in/link", { secret }, address)).status).toBe(201);
    expect((await ada.ask("GET", "/session", undefined, address)).status).toBe(200);
  });

  test("ends the session that it replaces beside such a neighbour, even when Redis has forgotten that session", async () => {
    const account = await newAccount();
    const [ada, elsewhere] = [await signedIn(account), await signedIn(account)];
    const [[name, token]] = [...ada.cookies] as [[string, string]];
    const address = { "X-Forwarded-For": "198.51.100.10" };
    await sendWrongCookies(name, account, address);
    const redis = new Redis(engines.redisUrl);
    expect(await redis.del(`${service.namespace}:dashboard:session:${hashOfKey(token)}`)).toBe(1);
    redis.disconnect();
    const secret = await link(account, "ada@example.com");
    expect((await ada.ask("POST", "/sign-in/link", { secret }, address)).status).toBe(201);
    expect((await elsewhere.ask("GET", "/sessions")).body.data).toHaveLength(2);
  });

  test("can be looked for 100 times from one IP address", async () => {
    const guesser = browser();
    const answers = [];
    for (let n = 0; n < 101; n++) answers.push(await guesser.ask("POST", "/sign-in/look", { secret: `guess ${n}` }));
    expect(answers.slice(0, 100).every(({ status }) => status === 410)).toBe(true);
    expect(answers[100]).toMatchObject(failed(429, "too_many_requests"));
    expect(Number(answers[100]!.headers.get("Retry-After"))).toBeGreaterThan(0);
    const secret = await link(await newAccount(), "ada@example.com");
    expect(await guesser.ask("POST", "/sign-in/link", { secret })).toMatchObject({ status: 429 });
    await browser().signIn(secret);
  });
});

describe("a session", () => {
  test("has a cookie that scripts and other sites do not get", async () => {
    const response = await fetch(`${service.dashboard}/api/sign-in/link`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ secret: await link(await newAccount(), "ada@example.com") }),
    });
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(new RegExp(`^tranche_session_${new URL(service.dashboard).port}=`));
    for (const part of ["path=/dashboard", "samesite=strict", "httponly"])
      expect(cookie!.toLowerCase()).toContain(part);
  });

  test("is over after signing out, also for a browser that has kept its cookie", async () => {
    const ada = await signedIn(await newAccount());
    const kept = [...ada.cookies];
    expect(await ada.ask("POST", "/sign-out")).toMatchObject({ status: 204 });
    expect(ada.cookies.size).toBe(0);
    for (const [name, value] of kept) ada.cookies.set(name, value);
    for (const path of ["/session", "/members", "/sessions", "/v1/funding"]) {
      expect(await ada.ask("GET", path), path).toMatchObject(OVER);
    }
  });

  test("that was ended elsewhere is refused by the API within a second", async () => {
    const account = await newAccount();
    const [ada, elsewhere] = [await signedIn(account), await signedIn(account)];
    const [token] = [...elsewhere.cookies.values()];
    const api = () => fetch(`${service.base}/funding`, { headers: { Authorization: `Bearer ${token}` } });
    // A busy machine makes the API take Redis for away for a moment.
    await expect.poll(async () => (await elsewhere.ask("GET", "/v1/funding")).status, { timeout: 10_000 }).toBe(200);
    await expect.poll(async () => (await api()).status, { timeout: 10_000 }).toBe(200);
    const rows = (await ada.ask("GET", "/sessions")).body.data as { id: string; is_this: boolean }[];
    const other = rows.find(({ is_this }) => !is_this)!;
    expect(await ada.ask("DELETE", `/sessions/${other.id}`)).toMatchObject({ status: 204 });
    expect(await elsewhere.ask("GET", "/v1/funding")).toMatchObject(OVER);
    await withinASecond(async () => (await api()).status, 401);
    expect(await ada.ask("DELETE", `/sessions/${other.id}`)).toMatchObject(failed(404, "not_found"));
    expect((await ada.ask("GET", "/session")).status).toBe(200);
  });

  test("is listed with its browser in words, whatever the browser says of itself", async () => {
    const account = await newAccount();
    const strange = `<script>alert(1)</script>${"x".repeat(2000)}`;
    await signedIn(account, "ada@example.com", { "User-Agent": strange });
    const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    const ada = await signedIn(account, "ada@example.com", { "User-Agent": firefox });
    await ada.ask("GET", "/sessions");
    await expect
      .poll(async () => (await ada.ask("GET", "/sessions")).body.data[0].last_used_at)
      .toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00.000Z$/);
    const { data } = (await ada.ask("GET", "/sessions")).body;
    expect(data).toMatchObject([{ browser: "Firefox on Linux", is_this: true }, { is_this: false }]);
    expect(data[1].browser.length).toBeLessThanOrEqual(80);
    expect(JSON.stringify(data)).not.toContain([...ada.cookies.values()][0]);
  });

  test("of another member can't be seen or ended", async () => {
    const account = await newAccount();
    const [ada, bob] = [await signedIn(account), await signedIn(account, "bob@example.com")];
    const [session] = (await bob.ask("GET", "/sessions")).body.data;
    expect((await ada.ask("GET", "/sessions")).body.data).toHaveLength(1);
    expect(await ada.ask("DELETE", `/sessions/${session.id}`)).toMatchObject(failed(404, "not_found"));
    expect((await bob.ask("GET", "/session")).status).toBe(200);
  });

  test("and every other of a member end by signing out everywhere, with the links that are left", async () => {
    const account = await newAccount();
    const [one, two, bob] = [
      await signedIn(account),
      await signedIn(account),
      await signedIn(account, "bob@example.com"),
    ];
    const secret = await link(account, "ada@example.com");
    expect(await one.ask("POST", "/sign-out-everywhere")).toMatchObject({ status: 204 });
    expect(one.cookies.size).toBe(0);
    expect(await two.ask("GET", "/session")).toMatchObject(OVER);
    expect(await browser().ask("POST", "/sign-in/link", { secret })).toMatchObject(UNUSABLE);
    expect((await bob.ask("GET", "/session")).status).toBe(200);
  });

  test("can't be forged, and an API key is none", async () => {
    const account = await newAccount();
    const ada = await signedIn(account);
    const [[name, token]] = [...ada.cookies] as [[string, string]];
    const { key } = await accounts.createKey({ account, name: "key" });
    expect((await fetch(`${service.base}/funding`, { headers: { Authorization: `Bearer ${key}` } })).status).toBe(200);
    for (const forged of [key, newApiKey(account), `${token}x`, token.replace(/.$/, "!"), "x".repeat(4000), "null"]) {
      const other = browser();
      other.cookies.set(name, forged);
      expect(await other.ask("GET", "/session")).toMatchObject(OVER);
      expect(other.cookies.size, "the cookie is removed").toBe(0);
      other.cookies.set(name, forged);
      expect(await other.ask("GET", "/v1/funding")).toMatchObject(OVER);
    }
  });

  test("changes nothing without its own CSRF token", async () => {
    const account = await newAccount();
    const [ada, bob] = [await signedIn(account), await signedIn(account, "bob@example.com")];
    const foreign = (await bob.ask("GET", "/session")).body.data.csrf_token as string;
    const changes: [string, string, unknown?][] = [
      ["POST", "/members", { email: "eve@example.com", role: "admin" }],
      ["POST", "/members/remove", { email: "bob@example.com" }],
      ["POST", "/members/link", { email: "bob@example.com" }],
      ["POST", "/sign-out"],
      ["POST", "/sign-out-everywhere"],
      ["DELETE", `/sessions/${(await ada.ask("GET", "/sessions")).body.data[0].id}`],
    ];
    for (const [method, path, body] of changes) {
      for (const wrong of ["", "x", foreign]) {
        expect(await ada.ask(method, path, body, { "X-CSRF-Token": wrong }), path).toMatchObject(
          failed(403, "csrf_failed"),
        );
      }
    }
    expect((await ada.ask("GET", "/members")).body.data.members).toHaveLength(2);
    expect((await bob.ask("GET", "/session")).status).toBe(200);
    expect((await ada.ask("GET", "/session")).status).toBe(200);
  });

  test("of a deleted account is over, and its links are unusable", async () => {
    const account = await newAccount();
    const ada = await signedIn(account);
    const secret = await link(account, "ada@example.com");
    await accounts.remove(account);
    expect(await ada.ask("GET", "/session")).toMatchObject(OVER);
    expect(await browser().ask("POST", "/sign-in/link", { secret })).toMatchObject(UNUSABLE);
  });

  test("of a suspended account shows it as such, and the API refuses its requests", async () => {
    const account = await newAccount();
    const ada = await signedIn(account);
    await accounts.suspend(account);
    expect((await ada.ask("GET", "/session")).body.data.account.status).toBe("suspended");
    expect(await ada.ask("POST", "/members", { email: "eve@example.com", role: "admin" })).toMatchObject(
      failed(403, "account_suspended"),
    );
    expect((await ada.ask("GET", "/members")).body.data.members).toHaveLength(1);
    const listed = () => ada.ask("GET", "/v1/funding");
    await withinASecond(async () => (await listed()).status, 401);
    const refused = (await listed()).body.error;
    expect(refused).toMatchObject({ code: "unauthorized", message: expect.stringContaining("suspended") });
    await accounts.resume(account);
    await withinASecond(async () => (await listed()).status, 200);
  });

  test("is shown at the sign-in page, which needs none", async () => {
    const nobody = await browser().ask("GET", "/sign-in");
    expect(nobody).toMatchObject({ status: 200, body: { data: { by_email: false, signed_in: null } } });
    const ada = await signedIn(await newAccount("<b>Acme</b>"));
    expect((await ada.ask("GET", "/sign-in")).body.data.signed_in).toEqual({
      account_name: "<b>Acme</b>",
      member: "ada@example.com",
    });
  });
});

test("old links and sessions are deleted, others stay", async () => {
  const account = await newAccount();
  const ada = await signedIn(account);
  const old = { now: () => Date.now() - 40 * DAY_MS };
  const parts = { accounts, copies: { keepKey: async () => {} } };
  const ended = { account, member: "a@b", stamp: "s", name: "" };
  const { session } = await createSessionStore(client, names, { ...parts, ...old }).start(ended);
  const secret = await createLinkStore(client, names, old).create({ account, email: "ada@example.com" });
  const fresh = await link(account, "ada@example.com");
  // Dashboards of other tests that start delete them too.
  await createLinkStore(client, names).forgetExpired(new Date(Date.now() - DAY_MS));
  await createSessionStore(client, names, parts).forgetEnded(new Date(Date.now() - 20 * DAY_MS));
  expect(await createLinkStore(client, names).find(secret)).toBeUndefined();
  expect(await client.exists({ index: names.accounts, id: keyDocumentId(session.key_hash) })).toBe(false);
  expect((await ada.ask("GET", "/session")).status).toBe(200);
  await browser().signIn(fresh);
});

test("behind a TLS proxy that rewrites Host, the dashboard's own pages are known by its public address", async () => {
  await service.startDashboard({ TRANCHE_DASHBOARD_URL: "https://app.example.com/dashboard" });
  const account = await newAccount();
  const ada = browser({ Origin: "https://app.example.com" });
  await ada.signIn(await link(account, "ada@example.com"));
  expect([...ada.cookies.keys()]).toEqual(["__Host-tranche_session_443"]);
  expect((await ada.ask("GET", "/session")).headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
  const made = await ada.ask("POST", "/members/link", { email: "ada@example.com" });
  expect(made.body.data.url).toMatch(/^https:\/\/app\.example\.com\/dashboard\/sign-in#/);
  for (const Origin of ["http://app.example.com", "https://app.example.com:8443", "null"]) {
    expect(await ada.ask("POST", "/sign-out", undefined, { Origin })).toMatchObject(failed(403, "wrong_origin"));
  }
});
