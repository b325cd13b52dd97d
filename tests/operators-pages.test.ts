import { once } from "node:events";
import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { RunView } from "@tranche/intake/http/run-view";
import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { minuteOf, requestPartsKey, requestSumsKey } from "@tranche/shared/accounts/request-sums";
import { createSetRecords } from "@tranche/shared/protocol/runs/set-records";
import { type DeadLetter, QUEUES } from "@tranche/shared/protocol/queue/queues";
import { Redis } from "ioredis";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { OperatorRequests } from "../apps/operators/routes/routes.ts";
import { buildPages } from "../web/building.ts";
import { startCuttingDoor } from "./support/cut-answers.ts";
import { timing } from "./support/pauses.ts";
import { freePort } from "./support/service.ts";
import { withService } from "./support/with-service.ts";
import { withinASecond } from "./support/within-a-second.ts";

type AccountRow = OperatorRequests["GET /accounts"]["data"][number];
type AccountView = OperatorRequests["GET /accounts/:id"]["data"];
type NewAccount = OperatorRequests["POST /accounts"]["data"];
type NewKey = OperatorRequests["POST /accounts/:id/keys"]["data"];
type SignInLinkView = OperatorRequests["POST /accounts/:id/sign-in-link"]["data"];
type RequestsNow = OperatorRequests["GET /requests"]["data"];
type AccountRequests = OperatorRequests["GET /requests/:id"]["data"];
type AuditView = OperatorRequests["GET /audit"]["data"][number];
type DeadLetterList = OperatorRequests["GET /dead-letters"]["data"];
type FileView = OperatorRequests["POST /files/look"]["data"];
type MappingVersion = OperatorRequests["GET /mappings"]["data"][number];
type MappingView = OperatorRequests["GET /mappings/:id"]["data"];
type RebuildView = OperatorRequests["GET /rebuild"]["data"];
type SetView = OperatorRequests["GET /sets"]["data"][number];
type OperatorView = OperatorRequests["GET /session"]["data"];
type PlanView = OperatorRequests["GET /plans"]["data"][number];
type StatusView = OperatorRequests["GET /status"]["data"];

const TOKEN = "a-token-of-the-operators";
const API = "/operators/api";

type Sent = { method?: string; headers?: Record<string, string>; body?: unknown };
type Answer<T> = { status: number; headers: Record<string, string | string[] | undefined>; text: string; data: T };

const { engines, service, queues, client, names } = withService({ start: ["indexer"] });
let port: number;
let base: string;
/** The headers of a signed-in operator. */
let signedIn: Record<string, string>;

/** `fetch` sets Host and Sec-Fetch-Site itself; this one sends what it is given. */
async function ask<T = unknown>(
  path: string,
  { method = "GET", headers = {}, body }: Sent = {},
  at = port,
): Promise<Answer<T>> {
  const isBytes = body instanceof Buffer;
  const json = body === undefined || isBytes ? {} : { "content-type": "application/json" };
  const sent = request({ host: "127.0.0.1", port: at, path, method, headers: { ...json, ...headers }, agent: false });
  // A length without a body: it is refused before anything of it has to come.
  if (headers["content-length"] !== undefined) sent.on("error", () => {}).flushHeaders();
  else sent.end(body === undefined || isBytes ? body : JSON.stringify(body));
  const [answer] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  const isJson = answer.headers["content-type"]?.includes("json");
  const data = (isJson ? (JSON.parse(text) as { data: T }).data : undefined) as T;
  return { status: answer.statusCode!, headers: answer.headers, text, data };
}
const codeOf = ({ status, text }: Answer<unknown>) => [
  status,
  (JSON.parse(text) as { error: { code: string } }).error.code,
];
const get = async <T>(path: string): Promise<T> => {
  const { status, data, text } = await ask<T>(API + path, { headers: signedIn });
  expect([path, status, text.slice(0, 300)]).toEqual([path, 200, expect.anything()]);
  return data;
};
const post = <T>(path: string, body: unknown = {}, method = "POST") =>
  ask<T>(API + path, { method, headers: signedIn, body });

/** Signs in and returns the cookie, as a browser sends it back. */
async function signIn(
  token = TOKEN,
  at = port,
): Promise<{ status: number; cookie: string; flags: string; text: string }> {
  const { status, headers, text } = await ask(`${API}/sign-in`, { method: "POST", body: { token } }, at);
  const [set = ""] = [headers["set-cookie"]].flat();
  const [cookie = "", ...flags] = set.split("; ");
  return { status, cookie, flags: flags.join("; "), text };
}

async function csrfOf(cookie: string): Promise<string> {
  return (await ask<OperatorView>(`${API}/session`, { headers: { cookie } })).data.csrf_token;
}

/** Of a request of the API with this key. It is sent again where Redis was silent and the process did not know the key: 503. */
async function statusWith(key: string): Promise<number> {
  for (let tries = 1; ; tries++) {
    const { status } = await fetch(`${base}/funding?limit=1`, { headers: { authorization: `Bearer ${key}` } });
    if (status !== 503 || tries === 20) return status;
    await pause(50);
  }
}

async function within(ms: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const end = Date.now() + ms;
  while (Date.now() < end) {
    if (await isSo()) return true;
    await pause(50);
  }
  return isSo();
}

beforeAll(async () => {
  await buildPages(() => {});
  port = await freePort();
  await Promise.all([
    service.startApi(),
    service.startOperators({
      TRANCHE_OPERATOR_PORT: String(port),
      TRANCHE_OPERATOR_TOKEN: TOKEN,
      // The clock of the sample: files that people map have dates after it.
      TRANCHE_NOW: "2013-10-31T12:00:00Z",
    }),
  ]);
  base = service.base;
  const { cookie } = await signIn();
  signedIn = { cookie, "x-csrf-token": await csrfOf(cookie) };
});

describe("signing in", () => {
  test("with the token: a cookie that scripts and other sites do not get, and that is not the token", async () => {
    const { status, cookie, flags, text } = await signIn();
    expect(status).toBe(201);
    expect(cookie).toMatch(new RegExp(`^tranche_operators_${port}=`));
    expect(flags.toLowerCase()).toMatch(/path=\/; expires=.*; samesite=strict; httponly/);
    expect(cookie + text).not.toContain(TOKEN);
    expect((await ask(`${API}/session`, { headers: { cookie } })).status).toBe(200);
  });

  test("no cookie, a forged one, one of another port: signed out, without the browser's own form", async () => {
    const [name, value] = signedIn["cookie"]!.split("=") as [string, string];
    const [expires, id, signature] = value.split(".") as [string, string, string];
    const forged = [
      "",
      `${name}=${TOKEN}`,
      `${name}=${Number(expires) + 1}.${id}.${signature}`,
      `${name}=${expires}.${id}.${"A".repeat(43)}`,
      `tranche_operators_1=${value}`,
    ];
    for (const cookie of forged) {
      for (const path of ["/session", "/status", "/accounts", "/queues", "/audit", "/nothing"]) {
        const refused = await ask(API + path, { headers: cookie ? { cookie } : {} });
        expect([cookie, path, ...codeOf(refused)]).toEqual([cookie, path, 401, "signed_out"]);
        expect(refused.headers["www-authenticate"]).toBeUndefined();
      }
    }
  });

  test("signing out ends the session, also for a copy of the cookie", async () => {
    const { cookie } = await signIn();
    const headers = { cookie, "x-csrf-token": await csrfOf(cookie) };
    expect((await ask(`${API}/sign-out`, { method: "POST", headers: { cookie } })).status).toBe(403);
    const out = await ask(`${API}/sign-out`, { method: "POST", headers });
    expect([out.status, String(out.headers["set-cookie"])]).toEqual([204, expect.stringContaining("1970")]);
    expect((await ask(`${API}/session`, { headers: { cookie } })).status).toBe(401);
  });

  test("wrong tokens are limited together in all three ways, and the right one passes in each", async () => {
    const other = await freePort();
    const running = await service.startOperators({
      TRANCHE_OPERATOR_PORT: String(other),
      TRANCHE_OPERATOR_TOKEN: TOKEN,
    });
    const ways = (token: string) => [
      () => ask(`${API}/session`, { headers: { authorization: `Bearer ${token}` } }, other),
      () => ask(`${API}/queues`, { headers: { authorization: `Basic ${btoa(`ann:${token}`)}` } }, other),
      () => ask(`${API}/sign-in`, { method: "POST", body: { token } }, other),
    ];
    const wrong = ways(`${TOKEN}x`);
    const statuses: number[] = [];
    for (let n = 0; n < 10; n++) statuses.push((await wrong[n % 3]!()).status);
    expect(new Set(statuses)).toEqual(new Set([401]));
    for (const send of wrong) {
      const late = await send();
      expect([...codeOf(late), Number(late.headers["retry-after"])]).toEqual([
        429,
        "too_many_requests",
        expect.toSatisfy((seconds: number) => seconds > 500),
      ]);
    }
    for (const send of ways(TOKEN)) expect((await send()).status).toBeLessThan(300);
    expect((await ask("/metrics", {}, other)).status).toBe(200);
    expect((await ask("/metrics", { headers: { authorization: `Bearer ${TOKEN}x` } }, other)).status).toBe(200);
    const strange = { host: "evil.example", authorization: `Bearer ${TOKEN}x` };
    expect((await ask("/metrics", { headers: strange }, other)).status).toBe(429);
    running.kill();
    await once(running, "exit");
  });

  test("bad bodies are answered with what is wrong", async () => {
    for (const body of [{}, { token: 7 }, { token: "x".repeat(2000) }, []])
      expect(codeOf(await ask(`${API}/sign-in`, { method: "POST", body }))).toEqual([400, "invalid_request"]);
    const text = { method: "POST", headers: { "content-type": "text/plain" }, body: { token: TOKEN } };
    expect((await ask(`${API}/sign-in`, text)).status).toBe(400);
  });
});

describe("the pages", () => {
  test("the port's root leads to them, and every address of theirs is the page", async () => {
    for (const path of ["/", "/operators"]) {
      const { status, headers } = await ask(path);
      expect([path, status, headers["location"]]).toEqual([path, 302, "/operators/"]);
    }
    const page = await ask("/operators/");
    expect(page.status).toBe(200);
    expect((await ask("/operators/accounts/8kQ2mZ0a")).text).toBe(page.text);
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).not.toMatch(/unsafe|https?:/);
    for (const [, file] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect(file).toMatch(/^\/operators\/assets\//);
      expect([file, (await ask(file!)).status]).toEqual([file, 200]);
    }
    expect((await ask("/operators/assets/nothing.js")).status).toBe(404);
  });

  test("without a token set they say so, and nothing can be requested", async () => {
    const other = await freePort();
    const running = await service.startOperators({ TRANCHE_OPERATOR_PORT: String(other) });
    const page = await ask("/operators/", {}, other);
    expect([page.status, page.headers["content-type"]]).toEqual([403, expect.stringContaining("text/html")]);
    for (const sent of [{}, { method: "POST", body: { token: "undefined" } }])
      for (const path of ["/session", "/sign-in", "/accounts"])
        expect(codeOf(await ask(API + path, sent, other))).toEqual([403, "no_token_set"]);
    running.kill();
    await once(running, "exit");
  });
});

describe("changes", () => {
  const CHANGES = [
    ["POST", "/accounts"],
    ["PUT", "/accounts/8kQ2mZ0a/plan"],
    ["POST", "/accounts/8kQ2mZ0a/suspend"],
    ["POST", "/accounts/8kQ2mZ0a/resume"],
    ["POST", "/accounts/8kQ2mZ0a/throttle"],
    ["POST", "/accounts/8kQ2mZ0a/unthrottle"],
    ["POST", "/accounts/8kQ2mZ0a/delete"],
    ["POST", "/accounts/8kQ2mZ0a/keys"],
    ["POST", "/accounts/8kQ2mZ0a/sign-in-link"],
    ["POST", "/keys/x/revoke"],
    ["POST", "/queues/ingest/retry"],
    ["POST", "/dead-letters/retry"],
    ["POST", "/dead-letters/discard"],
    ["POST", "/rebuild/start"],
    ["POST", "/rebuild/cancel"],
    ["POST", "/rebuild/rollback"],
    ["POST", "/sign-out"],
  ] as const;

  test("none without the token, its CSRF token, the right Host, and a page of this port", async () => {
    const before = await createAccountStore(client, names).audit();
    const { cookie } = signedIn as { cookie: string };
    const basic = { authorization: `Basic ${Buffer.from(`ann:${TOKEN}`).toString("base64")}` };
    for (const [method, path] of CHANGES) {
      const refused = async (headers: Record<string, string>) => {
        const [status, code] = codeOf(await ask(API + path, { method, headers, body: { name: "A", plan: "scale" } }));
        return `${method} ${path} ${status} ${code}`;
      };
      const is = (rest: string) => `${method} ${path} ${rest}`;
      expect(await refused({})).toBe(is("401 signed_out"));
      expect(await refused({ cookie })).toBe(is("403 csrf_failed"));
      expect(await refused(basic)).toBe(is("403 csrf_failed"));
      expect(await refused({ cookie, "x-csrf-token": "wrong" })).toBe(is("403 csrf_failed"));
      expect(await refused({ ...signedIn, origin: "http://evil.example" })).toBe(is("403 foreign_page"));
      expect(await refused({ ...signedIn, origin: "http://127.0.0.1:3000" })).toBe(is("403 foreign_page"));
      expect(await refused({ ...signedIn, "sec-fetch-site": "same-site" })).toBe(is("403 foreign_page"));
      expect(await refused({ ...signedIn, host: "evil.example" })).toBe(is("403 wrong_host"));
    }
    expect(await createAccountStore(client, names).audit()).toEqual(before);
  });

  test("pages of a foreign host get nothing, be the cookie with it", async () => {
    for (const path of ["/operators/", `${API}/session`, `${API}/accounts`])
      expect(codeOf(await ask(path, { headers: { ...signedIn, host: `evil.example:${port}` } }))).toEqual([
        403,
        "wrong_host",
      ]);
  });
});

describe("accounts", () => {
  test("are created, changed, suspended, resumed and deleted, on the API within a second; all of it is audited", async () => {
    const { status, data: made } = await post<NewAccount>("/accounts", { name: "  <b>Acme</b> ", plan: "starter" });
    expect([status, made]).toEqual([
      201,
      { id: expect.any(String), name: "<b>Acme</b>", plan: "starter", key: expect.any(String) },
    ]);
    expect(await statusWith(made.key)).toBe(200);
    const path = `/accounts/${made.id}`;

    expect((await post(`${path}/plan`, { plan: "scale" }, "PUT")).data).toMatchObject({ plan: "scale" });
    expect(codeOf(await post(`${path}/plan`, { plan: "constructor" }, "PUT"))).toEqual([400, "invalid_request"]);
    expect((await post(`${path}/suspend`, { reason: "unpaid" })).data).toMatchObject({ status: "suspended" });
    await withinASecond(() => statusWith(made.key), 401);
    expect((await post(`${path}/resume`)).data).toMatchObject({ status: "active" });
    await withinASecond(() => statusWith(made.key), 200);

    const lower = { burst: 1000, lasts: 3600, reason: "a loop" };
    expect((await post(`${path}/throttle`, lower)).data).toMatchObject({
      throttle: { burst: 1000, quota: null, until: expect.any(String), reason: "a loop" },
    });
    const noLimit = { burst: undefined };
    for (const wrong of [
      noLimit,
      { burst: 0 },
      { burst: "1" },
      { burst: 1.5 },
      { quota: 0 },
      { lasts: 0 },
      { reason: " " },
    ])
      expect(codeOf(await post(`${path}/throttle`, { ...lower, ...wrong }))).toEqual([400, "invalid_request"]);
    for (const high of [{ burst: 1200 }, { quota: 1_000_000 }])
      expect(codeOf(await post(`${path}/throttle`, { ...lower, ...high }))).toEqual([409, "conflict"]);
    expect((await get<AccountView>(path)).throttle).toMatchObject({ burst: 1000, reason: "a loop" });
    expect((await post(`${path}/throttle`, { quota: 1000, reason: "a loop" })).data).toMatchObject({
      throttle: { burst: null, quota: 1000, until: null },
    });
    expect((await post(`${path}/unthrottle`)).data).toMatchObject({ throttle: null });
    expect(codeOf(await post(`${path}/unthrottle`))).toEqual([409, "conflict"]);

    const { data: key } = await post<NewKey>(`${path}/keys`, { name: "second", expires: "2999-01-01" });
    expect(key).toMatchObject({ name: "second", expires_at: "2999-01-01T00:00:00.000Z", revoked_at: null });
    expect(await statusWith(key.key)).toBe(200);
    expect((await post(`/keys/${key.id}/revoke`)).status).toBe(200);
    await withinASecond(() => statusWith(key.key), 401);
    for (const wrong of [{ name: "x", expires: "2001-01-01" }, { name: " " }, { name: "x".repeat(10_000) }])
      expect(codeOf(await post(`${path}/keys`, wrong))).toEqual([400, "invalid_request"]);

    const { data: link } = await post<SignInLinkView>(`${path}/sign-in-link`, { email: " Ada@Example.com " });
    expect(link).toMatchObject({
      email: "ada@example.com",
      url: expect.stringMatching(/\/dashboard\/sign-in#[\w-]{32}$/),
    });
    for (const email of ["ada", "a b@example.com", "<script>@x", "x".repeat(10_000), 7])
      expect(codeOf(await post(`${path}/sign-in-link`, { email }))).toEqual([400, "invalid_request"]);

    const listed = (await get<AccountRow[]>("/accounts")).find(({ id }) => id === made.id);
    expect(listed).toMatchObject({ name: "<b>Acme</b>", plan: "scale", working_keys: 1, quota: 1_000_000 });
    const used = async () => (await get<AccountView>(path)).usage.reduce((sum, { requests }) => sum + requests, 0);
    expect(await within(5000, async () => (await used()) >= 3)).toBe(true);
    const view = await get<AccountView>(path);
    expect(view.requests_this_month).toBeGreaterThanOrEqual(3);
    expect(view.keys.map(({ name }) => name)).toEqual(["second", "first key"]);
    expect(view.members.map(({ email }) => email)).toEqual(["ada@example.com"]);
    expect(JSON.stringify(view)).not.toMatch(/key_hash|trn_\w{8}_\w{30}/);

    expect(codeOf(await post(`${path}/delete`, {}))).toEqual([400, "invalid_request"]);
    expect(codeOf(await post(`${path}/delete`, { confirm: "another" }))).toEqual([400, "invalid_request"]);
    expect((await post(`${path}/delete`, { confirm: made.id })).data).toMatchObject({ status: "deleted" });
    await withinASecond(() => statusWith(made.key), 401);
    expect(codeOf(await post(`${path}/resume`))).toEqual([409, "conflict"]);
    expect(codeOf(await post("/accounts/nothing1/resume"))).toEqual([404, "not_found"]);

    const audit = await get<AuditView[]>(`/audit?account=${made.id}`);
    expect(new Set(audit.map(({ actor }) => actor))).toEqual(new Set(["operators:127.0.0.1"]));
    expect(audit.map(({ action }) => action).toReversed()).toEqual([
      "account.create",
      "key.create",
      "account.set_plan",
      "account.suspend",
      "account.resume",
      "account.throttle",
      "account.throttle",
      "account.unthrottle",
      "key.create",
      "key.revoke",
      "member.add",
      "member.link",
      "account.delete",
      "key.revoke",
    ]);
  });

  test("plans in force are listed", async () => {
    expect((await get<PlanView[]>("/plans")).map(({ id, burst }) => [id, burst])).toContainEqual(["growth", 300]);
  });
});

describe("requests", () => {
  test("show within seconds who sent what: an account with its key, address, routes and errors, and what came without a key", async () => {
    const { data: made } = await post<NewAccount>("/accounts", { name: "Busy", plan: "starter" });
    const send = async (path: string, authorization = `Bearer ${made.key}`) =>
      (await fetch(base + path, { headers: { authorization } })).status;
    expect(await statusWith(made.key)).toBe(200);
    expect(await send("/funding?country=Nowhere&q=secret-search")).toBe(400);
    expect(await send("/companies/no-such-company")).toBe(404);
    expect(await send("/funding", "Bearer trn_wrong")).toBe(401);

    const all = () => get<RequestsNow>("/requests");
    const row = async () => (await all()).accounts.find(({ id }) => id === made.id);
    const shownOf = () => get<AccountRequests>(`/requests/${made.id}`);
    // Sums and errors are written apart, some time after the answers.
    const isWritten = async () =>
      ((await row())?.requests ?? 0) >= 3 &&
      ((await all()).without_key.by_status["401"] ?? 0) >= 1 &&
      (await shownOf()).errors.length >= 2;
    expect(await within(10_000, isWritten)).toBe(true);
    expect(await row()).toMatchObject({ name: "Busy", plan: "starter", status: "active", recent: 3, refused: 2 });
    const { without_key, total } = await all();
    expect(without_key.by_status["401"]).toBeGreaterThanOrEqual(1);
    expect(without_key.addresses).toContainEqual(expect.objectContaining({ name: "127.0.0.1" }));
    expect(total.requests).toBeGreaterThanOrEqual(3);

    const of = await shownOf();
    expect(of).toMatchObject({
      by_status: { 200: 1, 400: 1, 404: 1 },
      keys: [{ name: "first key", requests: 3, refused: 2 }],
      addresses: [{ name: "127.0.0.1", requests: 3 }],
    });
    expect(of.routes.map(({ name, requests }) => [name, requests])).toEqual([
      ["/api/v1/funding", 2],
      [expect.stringMatching(/^\/api\/v1\/companies\/:/), 1],
    ]);
    expect(of.errors.map(({ status, code, route, parameter, key }) => [status, code, route, parameter, key])).toEqual([
      [404, "not_found", of.routes[1]!.name, null, "first key"],
      [400, "invalid_parameter", "/api/v1/funding", "country", "first key"],
    ]);
    expect(JSON.stringify(of)).not.toMatch(/Nowhere|secret-search|no-such-company|trn_/);

    await post(`/accounts/${made.id}/suspend`);
    await withinASecond(() => statusWith(made.key), 401);
    expect(await within(10_000, async () => ((await row())?.by_status["401"] ?? 0) >= 1)).toBe(true);
    expect(codeOf(await ask(`${API}/requests/nothing1`, { headers: signedIn }))).toEqual([404, "not_found"]);
    const shown = await service.ops(["requests", "show", "--account", made.id]);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining("invalid_parameter")]);
    expect((await service.ops(["requests", "list"])).stdout).toContain("Busy");
  });

  test("are kept for an hour, in minutes that hold no key", async () => {
    const redis = new Redis(engines.redisUrl);
    onTestFinished(() => redis.disconnect());
    // The minute of the requests before may be over, and one may end during a request.
    let minute: number;
    do {
      minute = minuteOf(Date.now());
      await statusWith("none");
    } while (minuteOf(Date.now()) !== minute);
    for (const keyOf of [requestSumsKey, requestPartsKey]) {
      const key = keyOf(service.namespace, minute);
      expect(await within(5000, async () => (await redis.hlen(key)) > 0)).toBe(true);
      expect(await redis.ttl(key)).toBeGreaterThan(59 * 60 - 5);
      expect(await redis.ttl(key)).toBeLessThanOrEqual(3600);
      expect((await redis.hvals(key)).join()).not.toMatch(/trn_|secret-search/);
    }
  });
});

describe("the installation", () => {
  test("an ingest shows with its refusals, and what it left shows in health and rebuilds", async () => {
    const lines = [
      { type: "company", id: "com-1", name: "Acme", slug: "acme", country: "US" },
      { type: "company", id: "com-2", name: 7 },
      { type: "round", id: "rnd-1", company_id: "com-1", deal_type: "seed", announced_at: "2020-02-30" },
    ];
    const input = lines.map((line) => JSON.stringify(line)).join("\n");
    await service.ops(["ingest", "-", "--wait", "--json"], `${input}\nno json\n`);

    const { data: runs } = await ask<RunView[]>("/ingest", { headers: signedIn });
    const [run] = runs;
    expect(run).toMatchObject({ files: ["standard input"], enqueued: 1, rows: { refused: 3 } });
    expect(run!.refusals.map(({ line, problems }) => [line, problems.length > 0])).toEqual([
      [2, true],
      [3, true],
      [4, true],
    ]);
    expect(run!.refusals[1]!.problems).toContainEqual({ field: "announced_at", reason: expect.any(String) });

    const status = await get<StatusView>("/status");
    expect(status.queues.find(({ queue }) => queue === "ingest")).toMatchObject({ workers: 1, waiting: 0 });
    expect(status.indices.find(({ index }) => index === names.record("company"))!.documents).toBe(1);
    expect(status.health.elasticsearch.status).toMatch(/green|yellow/);
    expect(status.last_ingest).toMatchObject({ refused: 3, done: true });

    const before = await get<RebuildView>("/rebuild");
    expect(before).toMatchObject({ rebuild: null, running: false, can_roll_back: false });
    expect(codeOf(await post("/rebuild/cancel"))).toEqual([409, "conflict"]);
    expect(codeOf(await post("/rebuild/rollback"))).toEqual([409, "conflict"]);
    expect((await post<RebuildView>("/rebuild/start")).status).toBe(201);
    expect(await within(30_000, async () => (await get<RebuildView>("/rebuild")).rebuild?.state === "swapped")).toBe(
      true,
    );
    expect(await get<RebuildView>("/rebuild")).toMatchObject({ can_roll_back: true, rolled_back: false });
    expect((await post<RebuildView>("/rebuild/rollback")).data).toMatchObject({ rolled_back: true });

    const done = (await get<AuditView[]>("/audit")).filter(({ actor }) => actor === "operators:127.0.0.1");
    expect(done.slice(0, 4).map(({ action, details }) => [action, details["outcome"]])).toEqual([
      ["rollback", "done"],
      ["reindex", "done"],
      ["rollback", expect.stringContaining("failed: Nothing was rolled back")],
      ["reindex.cancel", "none running"],
    ]);
  });

  test("a set is found by its name, whatever others there are", async () => {
    const sets = createSetRecords(client, names);
    for (const set of ["set-a", "set-b"]) await sets.note(set, "run-1", [{ type: "company", record_id: "com-9" }]);
    const b = { name: "set-b", records: { company: 1 } };
    expect(await get<SetView[]>("/sets")).toContainEqual(b);
    expect(await get<SetView[]>("/sets?name=set-b")).toEqual([b]);
    expect(await get<SetView[]>("/sets?name=set")).toEqual([]);
  });

  test("dead letters are listed with their reason, retried and discarded, and that is audited", async () => {
    const letters = queues.queue<DeadLetter>(QUEUES.deadLetters);
    const document = (id: string) => ({
      what: { kind: "document" as const, model: "companies" as const, id },
      reason: "a drill",
    });
    const [first, second] = await letters.addBulk(
      ["com-1", "<script>"].map((id) => ({ name: "document", data: document(id) })),
    );
    const { total, entries } = await get<DeadLetterList>("/dead-letters");
    expect(total).toBe(2);
    expect(entries.map(({ subject, reason }) => [subject, reason])).toContainEqual([
      "document <script> of companies",
      "a drill",
    ]);

    expect(codeOf(await post("/dead-letters/retry", { ids: [] }))).toEqual([400, "invalid_request"]);
    expect(codeOf(await post("/dead-letters/retry", { ids: "none" }))).toEqual([400, "invalid_request"]);
    expect(codeOf(await post("/dead-letters/retry", { ids: ["99999"] }))).toEqual([404, "not_found"]);
    expect((await post("/dead-letters/retry", { ids: [first!.id] })).data).toEqual({ done: 1, foreign: 0 });
    expect((await post("/dead-letters/discard", { ids: [second!.id] })).data).toEqual({ done: 1, foreign: 0 });
    expect(await get<DeadLetterList>("/dead-letters")).toMatchObject({ total: 0 });

    const audit = (await get<AuditView[]>("/audit?limit=3")).map(({ action, actor, details }) => [
      action,
      actor,
      details,
    ]);
    expect(audit).toEqual([
      ["failed.discard", "operators:127.0.0.1", { ids: second!.id, outcome: "done", discarded: "1" }],
      ["failed.retry", "operators:127.0.0.1", { ids: first!.id, outcome: "done", retried: "1" }],
      ["failed.retry", "operators:127.0.0.1", expect.objectContaining({ ids: "99999" })],
    ]);
    for (const limit of ["0", "x", "99999"])
      expect(codeOf(await ask(`${API}/audit?limit=${limit}`, { headers: signedIn }))).toEqual([400, "invalid_request"]);
  });
});

describe("when an engine is away", () => {
  test.concurrent.each([
    ["Elasticsearch", "ELASTICSEARCH_URL", engines.elasticsearchUrl],
    ["Redis", "REDIS_URL", engines.redisUrl],
  ] as const)("people can sign in, and see that %s does not answer", async (engine, setting, url) => {
    const door = await startCuttingDoor(url, 0, 0);
    const other = await freePort();
    const running = await service.startOperators({
      TRANCHE_OPERATOR_PORT: String(other),
      TRANCHE_OPERATOR_TOKEN: TOKEN,
      [setting]: url.replace(new URL(url).host, new URL(door.url).host),
    });
    const { cookie } = await signIn(TOKEN, other);
    expect((await ask(`${API}/status`, { headers: { cookie } }, other)).status).toBe(200);
    door.close();
    expect((await signIn(TOKEN, other)).status).toBe(201);
    // Open pages share a reading for so long.
    await pause(timing.operatorReadings);
    const status = async () => {
      const away = await ask(`${API}/status`, { headers: { cookie } }, other);
      return [...codeOf(away), away.text];
    };
    const readiness = async () => {
      const ready = await ask("/health/ready", {}, other);
      return [ready.status, JSON.parse(ready.text)];
    };
    // At once, because each may wait for the engine. The other engine is named too while it is slow for a moment.
    const [live, metrics] = await Promise.all([
      ask("/health/live", {}, other),
      ask("/metrics", {}, other),
      expect.poll(status).toEqual([503, "unavailable", expect.stringContaining(`"message":"${engine} at `)]),
      expect.poll(readiness).toMatchObject([503, { away: [engine.toLowerCase()] }]),
    ]);
    expect(live.status).toBe(200);
    expect(metrics.text).toMatch(new RegExp(`^tranche_engine_up\\{engine="${engine.toLowerCase()}".* 0$`, "m"));
    const ended = once(running, "exit");
    running.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });
});

describe("files that are looked at before they are ingested", () => {
  const GOOD = Array.from({ length: 9 }, (_, n) => `Company ${n},2020-01-1${n},${n + 2}00000,Red Fund\n`);
  const CSV = ["Company,Date,Amount (EUR),Investors\n", GOOD[0], "Beta,soon,300000,Blue\n", ...GOOD.slice(1)].join("");
  const look = (bytes: Buffer | string, query = "") => post<FileView>(`/files/look${query}`, Buffer.from(bytes));

  test("columns, questions, and the first rows with their refusals; answers and corrections change them", async () => {
    const { data: view } = await look(CSV);
    expect(view).toMatchObject({ as: "suggested", kind: "rounds", questions: [{ id: "rates" }] });
    expect(view.preview).toMatchObject({ rows: 10, good: 9, is_rate_open: true });
    expect(view.preview.entries.slice(0, 2)).toEqual([
      { at: { line: 2 }, listed: expect.any(Array) },
      { at: { line: 3 }, refused: expect.stringContaining("soon") },
    ]);
    const { data: answered } = await look(CSV, "?answer=rates%3D1.5&answer=investors%3Dnone");
    expect(answered).toMatchObject({ questions: [], preview: { is_rate_open: false } });
    expect(JSON.stringify(answered)).not.toContain('"type":"investor"');
    const wrong = await look(CSV, "?answer=amount%3DSum");
    expect(codeOf(wrong)).toEqual([400, "invalid_request"]);
    expect(wrong.text).toContain("the file has no column 'Sum'");
  });

  test("a mapping is stored with its versions, and shows a file as it will be read", async () => {
    const { data: view } = await look(CSV, "?answer=rates%3D1.5");
    const { mapping } = view as FileView & { as: "suggested" };
    const put = (content: object | string) =>
      post<MappingVersion>(
        "/mappings/pages",
        Buffer.from(typeof content === "string" ? content : JSON.stringify(content)),
        "PUT",
      );
    expect((await put(mapping)).data).toMatchObject({ name: "pages", version: 1, created_by: "operators:127.0.0.1" });
    expect((await put({ ...mapping, description: "Second" })).status).toBe(201);
    expect((await put({ ...mapping, description: "Second" })).status).toBe(200);
    expect((await put("{")).status).toBe(400);
    expect(codeOf(await put(JSON.stringify(mapping).padEnd(300_000)))).toEqual([413, "too_large"]);
    expect(await get<MappingView>("/mappings/pages@1")).toMatchObject({
      version: 1,
      mapping: { records: expect.any(Array) },
      versions: [{ version: 2 }, { version: 1 }],
    });
    expect((await get<MappingVersion[]>("/mappings")).map(({ name, version }) => [name, version])).toContainEqual([
      "pages",
      2,
    ]);
    expect((await look(CSV, "?map=pages")).data).toMatchObject({ as: "mapped", map: "pages@2", preview: { good: 9 } });
    expect(codeOf(await look(CSV, "?map=nothing"))).toEqual([400, "invalid_request"]);
  });

  test("records need no mapping", async () => {
    const line = '{"type":"company","id":"c-look","name":"Acme","country":"DE"}\n';
    expect((await look(line)).data).toMatchObject({ as: "records", preview: { good: 1 } });
  });

  /** What the operators' process has used: other work on this machine makes it wait, and not work more. */
  const processorSeconds = async () =>
    Number(/^process_cpu_seconds_total\{[^}]*\} (\S+)$/m.exec((await ask("/metrics")).text)![1]);

  test("the worst files get a clear text, and are not held", async () => {
    const refusal = async (bytes: Buffer | string, query = "") => {
      const answer = await look(bytes, query);
      expect(answer.status).toBe(400);
      return (JSON.parse(answer.text) as { error: { message: string } }).error.message;
    };
    expect(await refusal("")).toBe("The file is empty.");
    expect(await refusal(Buffer.from("504b0304aaaaaaaaaaaaaaaa", "hex"))).toContain("zip archive");
    expect(await refusal(`${Array.from({ length: 10_000 }, (_, n) => `c${n}`).join(",")}\n`)).toContain(
      "10,000 columns",
    );
    expect(await refusal(`{"rounds":[\n${'{"a":1},\n'.repeat(40_000)}`, "?cut=true")).toContain("one JSON object");
    const headers = { ...signedIn, "content-length": String(5 * 1024 * 1024) };
    const large = await ask(`${API}/files/look`, { method: "POST", headers });
    expect(codeOf(large)).toEqual([413, "too_large"]);
    const before = await processorSeconds();
    await look(`Company,Date,Amount\n${"1-".repeat(60_000)},${"9".repeat(60_000)},"${"a ".repeat(30_000)}"\n`);
    await look(gzipSync(Buffer.alloc(200 * 1024 * 1024, "a,b\n")), "?cut=true");
    expect((await processorSeconds()) - before).toBeLessThan(5);
  });
});
