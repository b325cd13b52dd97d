import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { accountRedisKeys } from "@tranche/shared/accounts/redis-keys";
import { keyDocumentId } from "@tranche/shared/accounts/account";
import { grantDocumentId } from "@tranche/shared/accounts/grant";
import { createGrantStore, MAX_APPLICATIONS } from "@tranche/shared/accounts/grant-store";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import { assertNoneFailed } from "@tranche/shared/engines/search/bulk-results";
import {
  grantOfCode,
  hashOfKey,
  newAccessToken,
  newCode,
  newHandle,
  newRefreshToken,
} from "@tranche/shared/accounts/api-key";
import { Redis } from "ioredis";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DashboardRequests } from "../apps/dashboard/routes/routes.ts";
import { dashboardAccounts } from "./support/dashboard-accounts.ts";
import type { DashboardClient } from "./support/dashboard-client.ts";
import { mcpClient } from "./support/mcp-client.ts";
import { decide, memoryProvider, oauthApplication } from "./support/oauth-application.ts";
import { withShowcase } from "./support/with-service.ts";
import { withinASecond } from "./support/within-a-second.ts";

type ApplicationsView = DashboardRequests["GET /applications"]["data"];
type ConnectView = DashboardRequests["POST /oauth/look"]["data"];
type DailyUsageView = DashboardRequests["GET /usage/daily"]["data"];

const fixture = withShowcase();
const { service, engines, client, names } = fixture;
const { accounts, members, newAccount, signedIn } = dashboardAccounts(fixture);
const { address, ask: askMcp } = mcpClient(() => service.base);
const application = oauthApplication({ dashboard: () => service.dashboard, resource: address });
const redis = new Redis(engines.redisUrl, { lazyConnect: true });
afterAll(() => redis.disconnect());

let clientId: string;
let account: string;
let ada: DashboardClient;
beforeAll(async () => {
  clientId = await application.start();
  account = await newAccount("Acme", "roomy");
  ada = await signedIn(account);
});

const statusAtMcp = async (token: string) => (await askMcp(token, "tools/list")).status;
const connected = async (member = ada) =>
  ((await member.ask("GET", "/applications")).body as { data: ApplicationsView }).data.applications;
const look = async (member: DashboardClient, url: URL) =>
  (await member.ask("POST", "/oauth/look", { query: url.search.slice(1) })) as {
    status: number;
    body: { data: ConnectView; error: { code: string; message: string } };
  };
const origin = () => new URL(service.dashboard).origin;

describe("the official client", () => {
  test.each([
    ["described", () => clientId],
    ["registered", () => undefined],
  ])("%s, finds the way from a 401 to a call, and gets a new token when the old one ends", async (_, idOf) => {
    let visited: URL | undefined;
    const provider = memoryProvider(idOf(), application.redirect, (url) => void (visited = url));
    const transport = () => new StreamableHTTPClientTransport(new URL(address()), { authProvider: provider });
    const opened = () =>
      new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    const first = transport();
    await expect(opened().connect(first)).rejects.toThrow(UnauthorizedError);
    expect(visited!.href.startsWith(`${service.dashboard}/oauth/authorize?`)).toBe(true);
    const answer = new URL(await decide(ada, visited!));
    await first.finishAuth(answer.searchParams);

    const connection = opened();
    await connection.connect(transport());
    const result = await connection.callTool({ name: "stats", arguments: { of: "rounds" } });
    expect(result.structuredContent).toMatchObject({ cost: 1 });

    const before = provider.kept!;
    provider.kept = { ...before, access_token: newAccessToken(account) };
    await connection.callTool({ name: "usage", arguments: {} });
    expect(provider.kept.access_token).not.toBe(before.access_token);
    expect(provider.kept.refresh_token).not.toBe(before.refresh_token);
    await connection.close();
  });
});

describe("metadata", () => {
  test("a 401 of /mcp names that of the resource, which names the issuer; no other one does", async () => {
    const refused = await fetch(address(), { method: "POST", body: "{}" });
    const challenge = refused.headers.get("WWW-Authenticate")!;
    const [, found] = /^Bearer .*resource_metadata="([^"]+)"$/.exec(challenge)!;
    expect(await (await fetch(found!)).json()).toEqual({
      resource: address(),
      authorization_servers: [service.dashboard],
      scopes_supported: ["read"],
      bearer_methods_supported: ["header"],
      resource_name: "Tranche",
    });
    expect((await askMcp(newAccessToken(account), "tools/list")).headers.get("WWW-Authenticate")).toContain(
      'error="invalid_token"',
    );
    const elsewhere = await fetch(`${service.base}/usage`);
    expect(elsewhere.headers.get("WWW-Authenticate")).toBe('Bearer realm="Tranche"');
  });

  test("that of the issuer is at both addresses, for pages of every origin, and names nothing that is off", async () => {
    const documents = await Promise.all(
      ["/.well-known/oauth-authorization-server/dashboard", "/dashboard/.well-known/oauth-authorization-server"].map(
        async (path) => {
          const headers = { Origin: "https://assistant.example", "Sec-Fetch-Site": "cross-site" };
          const response = await fetch(origin() + path, { headers });
          return [response.headers.get("Access-Control-Allow-Origin"), await response.json()] as const;
        },
      ),
    );
    for (const [allowed, document] of documents) {
      expect(allowed).toBe("*");
      expect(document).toEqual({
        issuer: service.dashboard,
        authorization_endpoint: `${service.dashboard}/oauth/authorize`,
        token_endpoint: `${service.dashboard}/oauth/token`,
        registration_endpoint: `${service.dashboard}/oauth/register`,
        response_types_supported: ["code"],
        response_modes_supported: ["query"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        token_endpoint_auth_methods_supported: ["none"],
        code_challenge_methods_supported: ["S256"],
        scopes_supported: ["read"],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      });
    }
    for (const path of ["revoke", "introspect", "device"]) {
      expect((await fetch(`${service.dashboard}/oauth/${path}`, { method: "POST" })).status, path).toBe(404);
    }
  });
});

describe("a request to be connected", () => {
  test("is shown with the hosts of client and redirect, and what is decided is told with state and issuer", async () => {
    const { url } = application.ask();
    expect((await look(ada, url)).body.data).toEqual({
      name: "Test assistant",
      host: new URL(clientId).host,
      redirect: "a program on this computer",
      refused: null,
    });
    const refused = new URL(await decide(ada, url, false));
    expect(Object.fromEntries(refused.searchParams)).toEqual({
      error: "access_denied",
      state: "a state",
      iss: service.dashboard,
    });
    const allowed = new URL(await decide(ada, url));
    expect(allowed.origin + allowed.pathname).toBe(application.redirect);
    expect(Object.fromEntries(allowed.searchParams)).toEqual({
      code: expect.stringMatching(/^trc_/) as string,
      state: "a state",
      iss: service.dashboard,
    });
  });

  test.each([
    ["another redirect", { redirect_uri: "https://evil.example/back" }],
    ["another path", { redirect_uri: "http://127.0.0.1:4711/back/x" }],
    ["a script", { redirect_uri: "javascript:alert(1)" }],
    ["no redirect", { redirect_uri: "" }],
    ["no client", { client_id: "" }],
    ["a client that is no address", { client_id: "assistant" }],
    ["a client without a path", { client_id: "https://assistant.example" }],
  ])("with %s leads nowhere: the page says why", async (_, other) => {
    const { url } = application.ask(other);
    expect(await look(ada, url)).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } });
    await expect(decide(ada, url)).rejects.toThrow("400");
  });

  test("with a parameter twice leads nowhere, too", async () => {
    const { url } = application.ask();
    url.searchParams.append("redirect_uri", "https://evil.example/back");
    expect((await look(ada, url)).body.error.message).toMatch(/redirect_uri .* more than once/);
  });

  test.each([
    ["unsupported_response_type", { response_type: "token" }],
    ["invalid_request", { code_challenge_method: "plain" }],
    ["invalid_request", { code_challenge: "" }],
    ["invalid_request", { response_mode: "fragment" }],
    ["invalid_target", { resource: "" }],
    ["invalid_target", { resource: "https://other.example/mcp" }],
    ["invalid_scope", { scope: "write" }],
  ])("is refused with %s for %o, which the application is told if the member goes back", async (error, other) => {
    const { url } = application.ask(other);
    const { refused } = (await look(ada, url)).body.data;
    expect(Object.fromEntries(new URL(refused!.back).searchParams)).toMatchObject({ error, state: "a state" });
    await expect(decide(ada, url)).rejects.toThrow("400");
  });

  test("is decided with the CSRF token of the account that was shown, never for another one", async () => {
    const { url } = application.ask();
    const body = { query: url.search.slice(1), allow: true };
    const wrong = { "X-CSRF-Token": "x" };
    expect((await ada.ask("POST", "/oauth/decide", body, wrong)).body).toMatchObject({
      error: { code: "csrf_failed" },
    });
    const foreign = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
    expect((await ada.ask("POST", "/oauth/decide", body, foreign)).body).toMatchObject({
      error: { code: "wrong_origin" },
    });
    // The page shows one account, and another tab signs in to another one.
    const other = await signedIn(await newAccount("Other", "roomy"));
    const crossed = { Cookie: [...other.cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
    expect((await ada.ask("POST", "/oauth/decide", body, crossed)).body).toMatchObject({
      error: { code: "csrf_failed" },
    });
    expect(await connected(other)).toEqual([]);
  });

  test("is shown in no frame, and its page has no cookie to act with", async () => {
    const headers = { "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "cross-site" };
    const page = await request(application.ask().url, { headers });
    await page.body.dump();
    expect(page.statusCode).toBe(200);
    expect(page.headers["x-frame-options"]).toBe("DENY");
    expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(page.headers["set-cookie"]).toBeUndefined();
  });
});

describe("an application that registers itself", () => {
  const redirect_uris = ["http://127.0.0.1:4711/back"];
  let addresses = 0;
  const register = async (body: object, from = `192.0.2.${++addresses}`) => {
    const response = await fetch(`${service.dashboard}/oauth/register`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Forwarded-For": from },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const stored = async (id: string) =>
    (await client.get<{ expires_at: string }>({ index: names.dashboard, id: `client:${id}` }))._source!;
  const daysLeft = async (id: string) => (Date.parse((await stored(id)).expires_at) - Date.now()) / 86_400_000;

  test("is public, shown without a host, and stays when somebody connects it", async () => {
    const wanted = { client_name: "Registered", redirect_uris, token_endpoint_auth_method: "client_secret_post" };
    const { status, body } = await register(wanted);
    expect([status, body]).toEqual([
      201,
      {
        client_id: expect.any(String) as string,
        client_id_issued_at: expect.any(Number) as number,
        client_name: "Registered",
        redirect_uris,
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        scope: "read",
      },
    ]);
    const id = body["client_id"] as string;
    const { url } = application.ask({ client_id: id });
    expect((await look(ada, url)).body.data).toMatchObject({ name: "Registered", host: null });
    expect(await daysLeft(id)).toBeLessThanOrEqual(1);
    await decide(ada, url);
    expect(await daysLeft(id)).toBeGreaterThan(179);
  });

  test("is forgotten after a day when nobody does", async () => {
    const id = (await register({ redirect_uris })).body["client_id"] as string;
    const doc = { expires_at: new Date().toISOString() };
    await client.update({ index: names.dashboard, id: `client:${id}`, doc });
    const { status, body } = await look(ada, application.ask({ client_id: id }).url);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining("not registered here")]);
  });

  test.each([
    ["invalid_redirect_uri", {}],
    ["invalid_redirect_uri", { redirect_uris: [] }],
    ["invalid_redirect_uri", { redirect_uris: ["http://evil.example/back"] }],
    ["invalid_redirect_uri", { redirect_uris: ["javascript:alert(1)"] }],
    ["invalid_client_metadata", { redirect_uris, client_name: 7 }],
  ])("gets %s for %o", async (error, body) => {
    expect(await register(body)).toMatchObject({ status: 400, body: { error } });
  });

  test("does so 20 times a day from one address", async () => {
    const all = await Promise.all(Array.from({ length: 22 }, () => register({ redirect_uris }, "198.51.100.7")));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(2);
  });
});

describe("a code", () => {
  test("works once: when it comes again, all tokens end", async () => {
    const asked = application.ask();
    const code = await application.codeFrom(ada, asked);
    const wrongs: Record<string, string>[] = [
      { code_verifier: "w".repeat(43) },
      { redirect_uri: "http://127.0.0.1:4712/back" },
      { client_id: "https://other.example/client.json" },
    ];
    for (const wrong of wrongs) {
      expect((await application.redeem(code, asked.verifier, wrong)).body).toMatchObject({ error: "invalid_grant" });
    }
    const { status, headers, body } = await application.redeem(code, asked.verifier);
    expect([status, headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^tro_/) as string,
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^trr_/) as string,
      scope: "read",
    });
    expect(await statusAtMcp(body.access_token)).toBe(200);
    expect((await application.redeem(code, "w".repeat(43))).body).toMatchObject({ error: "invalid_grant" });
    await withinASecond(() => statusAtMcp(body.access_token), 401);
    expect((await application.refresh(body.refresh_token)).body).toMatchObject({ error: "invalid_grant" });
  });

  test("is exchanged by one of many at once, and whoever else had it ends what that one got", async () => {
    const asked = application.ask();
    const code = await application.codeFrom(ada, asked);
    const all = await Promise.all(Array.from({ length: 6 }, () => application.redeem(code, asked.verifier)));
    const good = all.filter(({ status }) => status === 200);
    expect(good.length).toBeLessThanOrEqual(1);
    for (const { body } of good) await withinASecond(() => statusAtMcp(body.access_token), 401);
  });

  test.each([
    ["unsupported_grant_type", { grant_type: "client_credentials" }],
    ["invalid_request", { code: "" }],
    ["invalid_request", { code_verifier: "short" }],
    ["invalid_request", { resource: "" }],
    ["invalid_target", { resource: "https://other.example/mcp" }],
    ["invalid_client", { client_secret: "secret" }],
    ["invalid_grant", { code: newCode(newHandle()) }],
    ["invalid_grant", { code: "trc_" }],
  ])("with %s for %o gives nothing", async (error, other) => {
    const { status, body } = await application.redeem(newCode(newHandle()), "v".repeat(43), other);
    expect([status < 500, body.error, typeof body.error_description]).toEqual([true, error, "string"]);
  });

  test("is taken from a form alone, by POST", async () => {
    const url = `${service.dashboard}/oauth/token`;
    expect((await fetch(url)).status).toBe(405);
    expect(
      (await fetch(url, { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } })).status,
    ).toBe(400);
    expect((await fetch(url, { method: "POST", body: new URLSearchParams({ a: "x".repeat(20_000) }) })).status).toBe(
      413,
    );
    expect((await application.token({ grant_type: "refresh_token" }, { Authorization: "Basic eDp5" })).status).toBe(
      401,
    );
  });
});

describe("an access token", () => {
  test("counts as a key in burst, quota and usage, and works at /mcp alone", async () => {
    const own = await newAccount("Counted", "small");
    const bob = await signedIn(own);
    const { access_token: token } = await application.connect(bob);
    const call = () => askMcp(token, "tools/call", { name: "list_rounds", arguments: { limit: 1 } });
    for (let n = 0; n < 3; n++) expect((await call()).reply.result!.isError).toBeUndefined();
    expect((await call()).reply.result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "quota_exceeded" } },
    });
    const month = await redis.hget(accountRedisKeys(service.namespace, own).month, "used");
    expect(month).toBe("3");
    for (const path of ["/usage", "/funding"]) {
      const response = await fetch(service.base + path, { headers: { Authorization: `Bearer ${token}` } });
      expect(response.status).toBe(401);
      expect(await response.text()).toContain("works at `/mcp` alone");
    }
    const cookie = [...bob.cookies.keys()].map((name) => `${name}=${token}`).join("; ");
    expect((await fetch(`${service.dashboard}/api/session`, { headers: { Cookie: cookie } })).status).toBe(401);
    const usage = async () => ((await bob.ask("GET", "/usage/daily")).body as { data: DailyUsageView }).data.by_key;
    await expect
      .poll(usage)
      .toEqual([expect.objectContaining({ name: "Test assistant", prefix: null, ended: false }) as object]);
  });

  test("ends with its time", async () => {
    const { access_token: token } = await application.connect(ada);
    expect(await statusAtMcp(token)).toBe(200);
    const hash = hashOfKey(token);
    const doc = { expires_at: new Date().toISOString() };
    await client.update({ index: names.accounts, id: keyDocumentId(hash), doc });
    await redis.del(accountRedisKeys(service.namespace, account).key(hash));
    expect(await statusAtMcp(token)).toBe(401);
  });
});

describe("a refresh token", () => {
  test("is replaced by each use, may come again within 10 s, and later ends everything", async () => {
    const first = await application.connect(ada);
    const second = (await application.refresh(first.refresh_token)).body;
    const again = (await application.refresh(first.refresh_token)).body;
    expect(await Promise.all([first, second, again].map(({ access_token }) => statusAtMcp(access_token)))).toEqual([
      200, 200, 200,
    ]);
    const others = { client_id: "https://other.example/client.json" };
    expect((await application.refresh(second.refresh_token, others)).body.error).toBe("invalid_grant");
    const third = (await application.refresh(again.refresh_token)).body;

    // Eleven seconds pass for the tokens that were replaced.
    const id = first.refresh_token.split("_")[1]!;
    const { _source: grant } = await client.get<{ refresh_tokens: { hash: string; replaced_at: string | null }[] }>({
      index: names.dashboard,
      id: `grant:${id}`,
    });
    const earlier = (time: string | null) => time && new Date(Date.parse(time) - 11_000).toISOString();
    const refresh_tokens = grant!.refresh_tokens.map((each) => ({ ...each, replaced_at: earlier(each.replaced_at) }));
    await client.update({ index: names.dashboard, id: `grant:${id}`, doc: { refresh_tokens } });
    const stolen = await application.refresh(second.refresh_token);
    expect([stolen.status, stolen.body.error]).toEqual([400, "invalid_grant"]);
    await withinASecond(() => statusAtMcp(third.access_token), 401);
    expect((await application.refresh(third.refresh_token)).body.error).toBe("invalid_grant");
    const audit = await accounts.audit({ account });
    expect(audit[0]).toMatchObject({ action: "application.end", actor: "application", key_id: id });
  });

  test("that was made up ends nothing", async () => {
    const { access_token, refresh_token } = await application.connect(ada);
    const id = refresh_token.split("_")[1]!;
    expect((await application.refresh(newRefreshToken(id))).body.error).toBe("invalid_grant");
    expect(await statusAtMcp(access_token)).toBe(200);
  });

  test("used by many at once gives each a pair or an error, and ends nothing", async () => {
    const { refresh_token } = await application.connect(ada);
    const all = await Promise.all(Array.from({ length: 5 }, () => application.refresh(refresh_token)));
    const good = all.filter(({ status }) => status === 200);
    expect(good.length).toBeGreaterThan(0);
    expect(all.filter(({ status }) => ![200, 503].includes(status))).toEqual([]);
    expect(await statusAtMcp(good[0]!.body.access_token)).toBe(200);
  });
});

test("an application that exchanges tokens in a loop is told to wait", async () => {
  const { refresh_token } = await application.connect(ada);
  const all = await Promise.all(
    Array.from({ length: 32 }, () =>
      application.refresh(refresh_token, { client_id: "https://other.example/client.json" }),
    ),
  );
  const limited = all.filter(({ status }) => status === 429);
  // The exchange of the code counted as well.
  expect(limited).toHaveLength(3);
  expect(Number(limited[0]!.headers.get("Retry-After"))).toBeGreaterThan(0);
});

describe("within a second", () => {
  test("a member ends one application, and no other", async () => {
    const own = await signedIn(await newAccount("Two", "roomy"));
    const [one, two] = await Promise.all([application.connect(own), application.connect(own)]);
    const id = one.refresh_token.split("_")[1]!;
    expect(await statusAtMcp(one.access_token)).toBe(200);
    expect((await connected(own)).map((row) => [row.name, row.host, row.member])).toEqual(
      Array.from({ length: 2 }, () => ["Test assistant", new URL(clientId).host, "ada@example.com"]),
    );
    expect((await ada.ask("DELETE", `/applications/${id}`)).status).toBe(404);
    expect((await own.ask("DELETE", `/applications/${id}`)).status).toBe(204);
    await withinASecond(() => statusAtMcp(one.access_token), 401);
    expect((await application.refresh(one.refresh_token)).body.error).toBe("invalid_grant");
    expect(await statusAtMcp(two.access_token)).toBe(200);
    expect((await connected(own)).map((row) => row.id)).toEqual([two.refresh_token.split("_")[1]]);
    expect((await own.ask("DELETE", `/applications/${id}`)).status).toBe(404);
  });

  test("two accounts of one member and one application are apart", async () => {
    const [here, there] = await Promise.all([newAccount("Here", "roomy"), newAccount("There", "roomy")]);
    const [first, second] = await Promise.all([signedIn(here), signedIn(there)]);
    const [one, two] = await Promise.all([application.connect(first), application.connect(second)]);
    expect([one, two].map(({ access_token }) => access_token.split("_")[1])).toEqual([here, there]);
    await first.ask("DELETE", `/applications/${(await connected(first))[0]!.id}`);
    await withinASecond(() => statusAtMcp(one.access_token), 401);
    expect(await statusAtMcp(two.access_token)).toBe(200);
  });

  test.each([
    ["is suspended", (own: string) => accounts.suspend(own)],
    ["is deleted", (own: string) => accounts.remove(own)],
  ])("nothing works when the account %s", async (_, act) => {
    const own = await newAccount("Closed", "roomy");
    const tokens = await application.connect(await signedIn(own));
    expect(await statusAtMcp(tokens.access_token)).toBe(200);
    await act(own);
    await withinASecond(() => statusAtMcp(tokens.access_token), 401);
    expect((await application.refresh(tokens.refresh_token)).status).toBe(400);
  });

  test.each([
    ["is removed", (own: DashboardClient, email: string) => own.ask("POST", "/members/remove", { email })],
    ["signs out everywhere", (own: DashboardClient) => own.ask("POST", "/sign-out-everywhere")],
  ])("nothing works that a member connected who %s", async (what, act) => {
    const own = await newAccount("Left", "roomy");
    const [bob, eve] = [await signedIn(own, "bob@example.com"), await signedIn(own, "eve@example.com")];
    const asked = application.ask();
    const code = await application.codeFrom(eve, asked);
    const tokens = await application.connect(eve);
    expect(await statusAtMcp(tokens.access_token)).toBe(200);
    expect((await act(what === "is removed" ? bob : eve, "eve@example.com")).status).toBe(204);
    await withinASecond(() => statusAtMcp(tokens.access_token), 401);
    expect((await application.refresh(tokens.refresh_token)).body.error).toBe("invalid_grant");
    expect((await application.redeem(code, asked.verifier)).body.error).toBe("invalid_grant");
    expect(await connected(bob)).toEqual([]);
    expect(await members.ofAccount(own)).not.toEqual([]);
  });
});

test("an account has no more applications than it may, with those whose codes can still be used", async () => {
  const [own, email] = [await newAccount("Full", "roomy"), "ada@example.com"];
  const { stamp } = await members.add({ account: own, email, role: "admin" });
  const store = createGrantStore(client, names, {
    copies: createHotCopies(redis, service.namespace),
    accountOf: (handle) => accounts.account(handle),
  });
  const allow = () =>
    store.allow({
      account: own,
      email,
      stamp,
      client: { id: clientId, name: "Full", host: null },
      redirect_uri: application.redirect,
      challenge: "c".repeat(43),
      resource: address(),
    });
  const id = grantOfCode(await allow())!;
  const { _source: code } = await client.get<object>({ index: names.dashboard, id: grantDocumentId(id) });
  const ROOM = 2;
  const operations = Array.from({ length: MAX_APPLICATIONS - ROOM - 1 }, (_, n) => [
    { create: { _id: grantDocumentId(`${id}${n}`) } },
    { ...code, key_id: `${id}${n}` },
  ]);
  assertNoneFailed(await client.bulk({ index: names.dashboard, operations: operations.flat(), refresh: true }));
  const answers = await Promise.allSettled(Array.from({ length: 5 }, allow));
  const made = answers.filter(({ status }) => status === "fulfilled").length;
  expect(made).toBeLessThanOrEqual(ROOM);
  for (let more = made; more < ROOM; more++) await allow();
  await expect(allow()).rejects.toThrow(`at most ${MAX_APPLICATIONS} connected applications`);
  expect(await store.ofAccount(own)).toEqual([]);
});
