import { once } from "node:events";
import { createServer, get as sendGet, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { searchDocumentId } from "@tranche/shared/accounts/read-searches";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DashboardRequests } from "../apps/dashboard/routes/routes.ts";
import { createSearchStore } from "../apps/dashboard/explore/search-store.ts";
import { dashboardAccounts } from "./support/dashboard-accounts.ts";
import { storeWorld } from "./support/store-world.ts";
import { withService } from "./support/with-service.ts";
import { makeWorld } from "./support/world.ts";

type ParametersView = DashboardRequests["GET /parameters"]["data"];
type SearchesView = DashboardRequests["GET /searches"]["data"];
type SearchView = DashboardRequests["POST /searches"]["data"];

const fixture = withService({ now: "2013-10-31T12:00:00Z" });
const { engines, service, client, names } = fixture;
const { newAccount, link } = dashboardAccounts(fixture);
const world = makeWorld(3000, 20_131_031);

type Page = { pagination: { count: number }; data: unknown[] };
type ErrorBody = { error: { code: string; message: string; parameter?: string; details?: { parameter: string }[] } };
type Session = { headers: Record<string, string>; csrf: string; account: string };

let session: Session;
let other: Session;

/** A new account on a plan, and a session of its first member. */
async function signIn(plan = "scale"): Promise<Session> {
  const account = await newAccount("Test", plan);
  const secret = await link(account, `someone@${account.toLowerCase()}.example`);
  const answer = await fetch(`${service.dashboard}/api/sign-in/link`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ secret }),
  });
  expect(answer.status).toBe(201);
  const headers = { cookie: answer.headers.get("set-cookie")!.split(";")[0]! };
  const known = await fetch(`${service.dashboard}/api/session`, { headers });
  const { data } = (await known.json()) as { data: { csrf_token: string } };
  return { headers, csrf: data.csrf_token, account };
}

beforeAll(async () => {
  await storeWorld(engines, service.namespace, world);
  await service.startApi();
  await service.startDashboard();
  session = await signIn();
  other = await signIn("starter");
}, 240_000);

type Sent = { as?: Session; method?: string; headers?: Record<string, string>; body?: unknown };

const ask = (path: string, { as = session, method = "GET", headers = {}, body }: Sent = {}) =>
  fetch(`${service.dashboard}/api${path}`, {
    method,
    headers: {
      ...as.headers,
      ...(method === "GET" ? {} : { "x-csrf-token": as.csrf, "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
async function errorOf(path: string, sent?: Sent) {
  const answer = await ask(path, sent);
  return { status: answer.status, ...((await answer.json()) as ErrorBody).error };
}

/** The response to a path as it is written, still unread. */
async function rawGet(base: string, path: string, sent: { method?: string; headers?: Record<string, string> } = {}) {
  const { hostname, port } = new URL(base);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = { agent: false, hostname, port, path, method: sent.method ?? "GET" };
  const request = sendGet({ ...options, headers: { ...session.headers, ...sent.headers } }, resolve);
  request.on("error", reject);
  return { response: await promise, request };
}

describe("requests of the pages to the API", () => {
  test("are those of the account, with its limits and its usage", async () => {
    const answer = await ask("/v1/funding?limit=2");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("ratelimit")).toContain('"burst"');
    expect(answer.headers.get("cache-control")).toBe("private, no-cache");
    expect(answer.headers.get("vary")).toContain("Cookie");
    const page = (await answer.json()) as Page;
    expect(page.data.length).toBe(2);
    expect(page.pagination.count).toBe(world.rounds.length);
    expect((await ask("/v1/funding", { as: { ...session, headers: {} } })).status).toBe(401);
  });

  test("get the API's own errors, with all details, and its warnings", async () => {
    const error = await errorOf("/v1/funding?country=zz&deal_types=nothing&from=2013-02-30");
    expect(error).toMatchObject({ status: 400, code: "invalid_parameter" });
    expect(error.details?.map(({ parameter }) => parameter)).toEqual(["country", "deal_types", "from"]);
    expect(await errorOf("/v1/funding/export", { as: other })).toMatchObject({ status: 403, code: "plan_forbidden" });
    expect(await errorOf("/v1/companies/nobody-at-all")).toMatchObject({ status: 404, code: "not_found" });
    const warned = (await (await ask("/v1/funding?city=Nowhere-at-all")).json()) as {
      warnings: { parameter: string }[];
    };
    expect(warned.warnings[0]?.parameter).toBe("city");
  });

  test("share the id of the request with the API", async () => {
    const answer = await ask("/v1/funding?limit=1", { headers: { "x-request-id": "mine-1" } });
    expect(answer.headers.get("x-request-id")).toBe("mine-1");
    expect(await errorOf("/v1/funding?a=1", { headers: { "x-request-id": "mine-2" } })).toMatchObject({
      request_id: "mine-2",
    });
  });

  test("lead nowhere but below /api/v1", async () => {
    const root = "/dashboard/api/v1";
    for (const path of [
      `${root}/../../openapi.json`,
      `${root}/%2e%2e/%2e%2e/openapi.json`,
      `${root}/..%2f..%2fopenapi.json`,
      `${root}/companies/..%5c..%5c..%5copenapi.json`,
      `${root}//funding`,
      `${root}/`,
    ]) {
      const { response } = await rawGet(service.dashboard, path);
      expect([path, response.statusCode]).toEqual([path, 404]);
      expect(JSON.parse(await text(response))).toMatchObject({ error: { code: "not_found" } });
    }
  });

  test("only read", async () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      expect([method, (await ask("/v1/funding", { method })).status]).toEqual([method, 404]);
    }
  });

  test("are answered to HEAD as well, without a body", async () => {
    const answer = await ask("/v1/funding/export", { method: "HEAD" });
    expect([answer.status, answer.headers.get("x-total-count")]).toEqual([200, String(world.rounds.length)]);
    expect(await answer.text()).toBe("");
    const head = await ask("/v1/funding", { method: "HEAD" });
    const got = await ask("/v1/funding", { headers: { "accept-encoding": "identity" } });
    expect(head.headers.get("etag")).toBe(got.headers.get("etag"));
  });

  test("are compressed once, by the API", async () => {
    const { response } = await rawGet(service.dashboard, "/dashboard/api/v1/funding?limit=50", {
      headers: { "accept-encoding": "gzip" },
    });
    expect(response.headers["content-encoding"]).toBe("gzip");
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const page = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()) as Page;
    expect(page.data.length).toBe(50);

    const { response: plain } = await rawGet(service.dashboard, "/dashboard/api/v1/funding?limit=50");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect((JSON.parse(await text(plain)) as Page).data.length).toBe(50);
  });

  test("with a known ETag are answered with 304", async () => {
    const first = await ask("/v1/funding?limit=3");
    const again = await ask("/v1/funding?limit=3", { headers: { "if-none-match": first.headers.get("etag")! } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  test("download a whole result as CSV", async () => {
    const answer = await ask("/v1/funding/export?format=csv&fields=id,company.name");
    expect(answer.headers.get("content-disposition")).toContain("attachment");
    const lines = (await answer.text()).trimEnd().split("\r\n");
    expect([lines[0], lines.length]).toEqual(["id,company.name", world.rounds.length + 1]);
  });
});

describe("when the API is not as it should be", () => {
  let respond: (request: IncomingMessage, response: ServerResponse) => void;
  let dashboard: string;
  const api = createServer((request, response) => respond(request, response));

  beforeAll(async () => {
    await once(api.listen(0, "127.0.0.1"), "listening");
    const before = service.dashboard;
    await service.startDashboard({ TRANCHE_API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}` });
    dashboard = service.dashboard;
    service.dashboard = before;
    // Both know the same sessions, but each port has a cookie of its own name.
    const [, token] = session.headers["cookie"]!.split("=");
    session.headers["cookie"] += `; tranche_session_${new URL(dashboard).port}=${token}`;
  });
  afterAll(() => {
    api.closeAllConnections();
    api.close();
  });
  const path = "/dashboard/api/v1/funding";

  test("a broken answer is cut off, never ended cleanly", async () => {
    respond = (_request, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.write('{"id":1}\n');
      setTimeout(() => response.destroy(), 100);
    };
    const { response } = await rawGet(dashboard, path);
    expect(response.statusCode).toBe(200);
    await expect(text(response)).rejects.toThrow("aborted");
  });

  test("a reader who leaves ends the request to the API, before and during the answer", async () => {
    for (const early of [true, false]) {
      const { promise: left, resolve } = Promise.withResolvers<void>();
      const { promise: came, resolve: arrived } = Promise.withResolvers<void>();
      respond = (_request, response) => {
        response.on("close", resolve);
        if (!early) response.write("x");
        arrived();
      };
      const leaving = new AbortController();
      const answer = fetch(`${dashboard}/api/v1/funding`, { headers: session.headers, signal: leaving.signal });
      await came;
      if (!early) await answer;
      leaving.abort();
      if (early) await expect(answer).rejects.toThrow("aborted");
      await left;
    }
  });

  test("a slow reader slows the API down", async () => {
    const chunk = Buffer.alloc(64 * 1024, "x");
    const whole = 1500;
    let sent = 0;
    respond = (_request, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      const more = () => {
        while (sent < whole) {
          sent++;
          if (!response.write(chunk)) return void response.once("drain", more);
        }
        response.end();
      };
      more();
    };
    const { response } = await rawGet(dashboard, path);
    response.pause();
    for (let before = -1; before !== sent;) {
      before = sent;
      await pause(500);
    }
    expect(sent).toBeLessThan(whole / 2);
    expect((await text(response)).length).toBe(whole * chunk.length);
  });

  test("what it sends is passed on without its connection's headers", async () => {
    respond = (_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "set-cookie": "a=b", "x-other": "1", etag: '"e"' });
      response.end("{}");
    };
    const { response } = await rawGet(dashboard, path);
    expect(await text(response)).toBe("{}");
    expect(response.headers).toMatchObject({ etag: '"e"', "cache-control": "no-store" });
    expect([response.headers["set-cookie"], response.headers["x-other"]]).toEqual([undefined, undefined]);
  });

  test("no answer at all is an error in the usual shape", async () => {
    respond = (request) => request.socket.destroy();
    const { response } = await rawGet(dashboard, path);
    expect(response.statusCode).toBe(503);
    expect(JSON.parse(await text(response))).toMatchObject({ error: { code: "unavailable" } });
    const { response: fields } = await rawGet(dashboard, "/dashboard/api/parameters");
    expect(fields.statusCode).toBe(503);
  });
});

describe("the forms", () => {
  test("are made from the API's own description", async () => {
    const { data } = (await (await ask("/parameters")).json()) as { data: ParametersView };
    expect(Object.keys(data)).toEqual(["funding", "signals", "companies", "investors"]);
    expect(data.signals.find(({ name }) => name === "signal")?.choices).toContain("just_raised");
    expect((await ask("/parameters", { as: { ...session, headers: {} } })).status).toBe(401);
  });
});

test("nobody waits for changes over the dashboard", async () => {
  for (const wait of ["wait=28", "w%61it=0"])
    expect(await errorOf(`/v1/funding/changes?${wait}`)).toMatchObject({ status: 400, parameter: "wait" });
});

describe("saved searches", () => {
  const list = async (as = session) =>
    ((await (await ask("/searches", { as })).json()) as { data: SearchesView }).data.searches;
  const save = async (body: unknown, as = session) => {
    const answer = await ask("/searches", { as, method: "POST", body });
    return { status: answer.status, ...((await answer.json()) as { data: SearchView }) };
  };
  const search = { name: "Seed in Berlin", list: "funding", query: "deal_types=seed&city=Berlin&sort=amount_desc" };

  test("are saved, listed by name, renamed and deleted", async () => {
    const { status, data: saved } = await save(search);
    expect(status).toBe(201);
    expect(saved).toMatchObject(search);
    expect(saved.created_by).toContain("someone@");
    await save({ ...search, name: "  <img src=x onerror=alert(1)>  " });
    expect((await list()).map(({ name }) => name)).toEqual(["<img src=x onerror=alert(1)>", "Seed in Berlin"]);

    const renamed = await ask(`/searches/${saved.id}`, {
      method: "PUT",
      body: { name: "Seeds", version: saved.version },
    });
    expect(renamed.status).toBe(200);
    for (const { id } of await list()) {
      expect((await ask(`/searches/${id}`, { method: "DELETE" })).status).toBe(204);
    }
    expect(await list()).toEqual([]);
    expect(await errorOf(`/searches/${saved.id}`, { method: "DELETE" })).toMatchObject({ status: 404 });
  });

  test("of another account are not there", async () => {
    const { data: saved } = await save(search);
    expect(await list(other)).toEqual([]);
    const change = { as: other, method: "PUT", body: { name: "Mine", version: saved.version } };
    expect(await errorOf(`/searches/${saved.id}`, change)).toMatchObject({ status: 404, code: "not_found" });
    expect((await ask(`/searches/${saved.id}`, { as: other, method: "DELETE" })).status).toBe(404);
    expect((await list()).length).toBe(1);
    await ask(`/searches/${saved.id}`, { method: "DELETE" });
  });

  test("changed in two tabs at once are changed once", async () => {
    const { data: saved } = await save(search);
    const tries = await Promise.all(
      ["One", "Two", "Three", "Four"].map((name) =>
        ask(`/searches/${saved.id}`, { method: "PUT", body: { name, version: saved.version } }),
      ),
    );
    expect(tries.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    const winner = (await tries.find(({ status }) => status === 200)!.json()) as { data: SearchView };
    expect((await list()).map(({ name }) => name)).toEqual([winner.data.name]);
    await ask(`/searches/${saved.id}`, { method: "DELETE" });
  });

  test.each([
    ["no name", { ...search, name: " " }, "name"],
    ["10,000 characters of a name", { ...search, name: "x".repeat(10_000) }, "name"],
    ["121 characters", { ...search, name: "😀".repeat(121) }, "name"],
    ["a line break in a name", { ...search, name: "a\nb" }, "name"],
    ["another list", { ...search, list: "people" }, "list"],
    ["a position", { ...search, query: "country=US&cursor=abc" }, "query"],
    ["an unescaped query", { ...search, query: "city=São Paulo" }, "query"],
    ["a fragment", { ...search, query: "a#b" }, "query"],
    ["no query", { name: "x", list: "funding" }, "query"],
  ])("with %s are refused", async (_what, body, parameter) => {
    expect(await errorOf("/searches", { method: "POST", body })).toMatchObject({
      status: 400,
      code: "invalid_request",
      parameter,
    });
  });

  test("with a name of 120 characters outside the first plane are taken", async () => {
    const { status, data } = await save({ ...search, name: "😀".repeat(120) });
    expect(status).toBe(201);
    await ask(`/searches/${data.id}`, { method: "DELETE" });
  });

  test("need a session and its token", async () => {
    expect((await ask("/searches", { as: { ...session, headers: {} } })).status).toBe(401);
    const forged = { ...session, csrf: "forged" };
    expect(await errorOf("/searches", { as: forged, method: "POST", body: search })).toMatchObject({
      status: 403,
      code: "csrf_failed",
    });
    expect(await list()).toEqual([]);
  });

  test("are at most 200 in an account, also when they are saved at once", async () => {
    // In the store itself, because the dashboard takes 60 changes of an account in a minute. A new account has made none yet.
    const full = await signIn();
    const store = createSearchStore(client, names.dashboard, { actor: "someone@example.com" });
    const keep = (name: string) =>
      store.create({ account: full.account, name, list: "funding", query: "deal_types=seed" });
    const { search: kept } = await keep("first");
    const copies = Array.from({ length: 195 }, (_, at) => ({ ...kept, id: `${full.account}-${at}` }));
    const operations = copies.flatMap((copy) => [{ create: { _id: searchDocumentId(copy.id) } }, copy]);
    await client.bulk({ index: names.dashboard, operations, refresh: true });
    await Promise.allSettled(Array.from({ length: 12 }, (_, at) => keep(`late ${at}`)));
    const count = (await list(full)).length;
    expect(count).toBeGreaterThanOrEqual(196);
    expect(count).toBeLessThanOrEqual(200);
    for (let at = count; at < 200; at++) await keep("rest");
    expect(await errorOf("/searches", { as: full, method: "POST", body: search })).toMatchObject({ status: 409 });
  });
});
