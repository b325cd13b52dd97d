import { spawnSync } from "node:child_process";
import { request } from "node:http";
import { appRoutes } from "@bull-board/api/dist/routes.js";
import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { type DeadLetter, type IngestJob, QUEUES } from "@tranche/shared/queue/queues";
import { Worker } from "bullmq";
import { beforeAll, describe, expect, test } from "vitest";
import { statusOfBytes } from "./support/raw-request.ts";
import { freePort } from "./support/service.ts";
import { withService } from "./support/with-service.ts";

const TOKEN = "a-token-of-the-operators";
const BEARER = { authorization: `Bearer ${TOKEN}` };
const BASIC = { authorization: `Basic ${Buffer.from(`ann:${TOKEN}`).toString("base64")}` };

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: string };
type Asked = { method?: string; headers?: Record<string, string>; body?: string };

const { service, queues, client, names } = withService();
let port: number;

beforeAll(async () => {
  port = await freePort();
  await service.startApi({
    TRANCHE_OPERATOR_PORT: String(port),
    TRANCHE_OPERATOR_TOKEN: TOKEN,
    TRANCHE_OPERATOR_HOSTS: "metrics.internal",
  });
});

/** `fetch` sets Host and Sec-Fetch-Site itself; this one sends what it is given. */
function ask(path: string, { method = "GET", headers = {}, body }: Asked = {}, at = port): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: at, path, method, headers, agent: false }, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
      answer.on("end", () => resolve({ status: answer.statusCode!, headers: answer.headers, body: text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
const status = async (path: string, asked?: Asked, at?: number) => (await ask(path, asked, at)).status;

describe("access", () => {
  test("metrics and health: callers by the port's own address or a named one, or with the token", async () => {
    for (const path of ["/metrics", "/health/live", "/health/ready"]) {
      for (const host of [`127.0.0.1:${port}`, "localhost", "[::1]", "metrics.internal:9090"])
        expect([path, host, await status(path, { headers: { host } })]).toEqual([path, host, 200]);
      for (const host of ["evil.example", `evil.example:${port}`, "localhost.evil.example"])
        expect([path, host, await status(path, { headers: { host } })]).toEqual([path, host, 403]);
      expect(await status(path, { headers: { host: "indexer.cluster.local", ...BEARER } })).toBe(200);
      const wrong = { host: "indexer.cluster.local", authorization: "Bearer a-token-of-the-operator" };
      expect(await status(path, { headers: wrong })).toBe(403);
    }
    expect((await ask("/metrics", { headers: { host: "evil.example" } })).body).toContain("TRANCHE_OPERATOR_HOSTS");
    expect((await ask("/metrics")).body).toContain("tranche_");
  });

  test("pages: only with the token, for which a browser asks people", async () => {
    for (const path of ["/queues", "/queues/api/queues", "/queues/csrf.js", "/no-such-page"]) {
      const { status: refused, headers } = await ask(path);
      expect([path, refused, headers["www-authenticate"]]).toEqual([
        path,
        401,
        expect.stringContaining("Basic realm="),
      ]);
    }
    for (const headers of [BEARER, BASIC]) {
      expect(await status("/queues", { headers })).toBe(200);
      expect(await status("/queues/api/queues", { headers })).toBe(200);
    }
  });

  test("nothing for a page of another origin, be it another port of this host, and be the token with it", async () => {
    const foreign: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "http://evil.example" },
      { origin: "http://127.0.0.1:3000" },
      { origin: "null" },
    ];
    for (const headers of foreign)
      for (const path of ["/metrics", "/health/live", "/queues", "/queues/api/queues", "/queues/static/favicon.ico"])
        for (const token of [{}, BEARER, BASIC])
          expect([path, headers, await status(path, { headers: { ...headers, ...token } })]).toEqual([
            path,
            headers,
            403,
          ]);
    for (const site of ["same-origin", "none"])
      expect(await status("/queues", { headers: { "sec-fetch-site": site, ...BASIC } })).toBe(200);
    const own = { "sec-fetch-site": "same-origin", origin: `http://127.0.0.1:${port}`, ...BASIC };
    expect(await status("/queues/api/queues", { headers: own })).toBe(200);
  });

  test("a request that is not well-formed is refused as the API refuses it", async () => {
    const host = `Host: 127.0.0.1:${port}\r\n`;
    for (const [bytes, expected] of [
      [`GET /metrics HTTP/1.1\r\n${host}Host: evil.example\r\nConnection: close\r\n\r\n`, 400],
      ["GET /metrics HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
      ["GET /metrics\r\n\r\n", 400],
      [`GET /metrics HTTP/1.1\r\n${host}A: ${"x".repeat(20_000)}\r\nConnection: close\r\n\r\n`, 431],
    ] as const)
      expect([bytes.slice(0, 80), await statusOfBytes(bytes, port)]).toEqual([bytes.slice(0, 80), expected]);
  });

  test("without a token set, on loopback: metrics and health as always, pages not at all", async () => {
    const other = await freePort();
    const api = await service.startApi({ TRANCHE_OPERATOR_PORT: String(other) });
    expect(await status("/metrics", {}, other)).toBe(200);
    expect(await status("/metrics", { headers: { host: "evil.example" } }, other)).toBe(403);
    for (const headers of [{}, { authorization: "Bearer undefined" }, { authorization: "Basic YW5uOg==" }]) {
      const refused = await ask("/queues", { headers: headers as Record<string, string> }, other);
      expect([refused.status, refused.body]).toEqual([403, expect.stringContaining("set TRANCHE_OPERATOR_TOKEN")]);
    }
    api.kill();
  });

  test("without a token set, beyond loopback: the API does not start, and says why", async () => {
    const { status: code, stderr } = spawnSync(process.execPath, ["apps/api/main.ts"], {
      env: { ...service.env, PORT: "0", TRANCHE_OPERATOR_PORT: "0", TRANCHE_OPERATOR_HOST: "0.0.0.0" },
      encoding: "utf8",
      timeout: 30_000,
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^TRANCHE_OPERATOR_HOST is '0\.0\.0\.0', .*TRANCHE_OPERATOR_TOKEN is not set\. Set it to/);
  });

  test.each(["a", "replace-me"])("with the token %j, beyond loopback: neither starts, and says why", (token) => {
    for (const app of ["api", "indexer"]) {
      const ports = { PORT: "0", TRANCHE_OPERATOR_PORT: "0", TRANCHE_INDEXER_PORT: "0" };
      const beyond = { TRANCHE_OPERATOR_HOST: "0.0.0.0", TRANCHE_OPERATOR_TOKEN: token };
      const { status: code, stderr } = spawnSync(process.execPath, [`apps/${app}/main.ts`], {
        env: { ...service.env, ...ports, ...beyond },
        encoding: "utf8",
        timeout: 30_000,
      });
      expect([app, code]).toEqual([app, 1]);
      expect(stderr).toMatch(
        /^TRANCHE_OPERATOR_HOST is '0\.0\.0\.0', .*TRANCHE_OPERATOR_TOKEN (is too short|is the text of an example)/,
      );
    }
  });
});

describe("the queues page", () => {
  test.each(["{", "[1,", '{"a": 1'])("answers a body that is no JSON (%s) with 400", async (body) => {
    const headers = { ...BEARER, "content-type": "application/json" };
    const answer = await ask("/queues", { method: "PUT", headers, body });
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([400, { error: { code: "invalid_request" } }]);
  });

  test("loads nothing from other hosts, and can't be framed", async () => {
    const { body, headers } = await ask("/queues", { headers: BASIC });
    const loaded = [...body.matchAll(/<(?:script|link|img|base)\b[^>]*\b(?:src|href)="([^"]*)"/g)].map(
      ([, url]) => url!,
    );
    expect(loaded.length).toBeGreaterThan(4);
    for (const url of loaded) expect(url).not.toMatch(/^(\w+:)?\/\//);
    for (const sheet of loaded.filter((url) => url.endsWith(".css")))
      expect((await ask(`/queues/${sheet}`, { headers: BASIC })).body).not.toMatch(/@import|url\(["']?(\w+:)?\/\//);
    for (const path of ["/queues", "/queues/api/queues", "/queues/static/favicon.ico", "/metrics"]) {
      const answer = await ask(path, { headers: BASIC });
      expect(answer.headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
      const policy = String(answer.headers["content-security-policy"]).split("; ");
      expect(policy).toEqual(
        expect.arrayContaining(["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]),
      );
      expect(policy.join(" ")).not.toMatch(/unsafe|https?:/);
    }
    expect(headers["x-frame-options"]).toBe("DENY");
  });

  test("refuses every action of Bull Board that is not a retry, and nothing is changed by it", async () => {
    const ingest = queues.queue<IngestJob>(QUEUES.ingest);
    const waiting = await ingest.add("records", { records: [] });
    const writes = appRoutes.api
      .flatMap(({ method, route }) =>
        [method].flat().map((each) => ({ method: each as string, route: [route].flat() })),
      )
      .filter(({ method }) => method !== "get");
    // As many as version 9 of Bull Board has: one that is added comes here by itself.
    expect(writes.length).toBeGreaterThan(15);
    for (const { method, route } of writes) {
      for (const pattern of route) {
        if (/\/retry(\/:queueStatus)?$/.test(pattern)) continue;
        const path = pattern
          .replace(":queueName", "ingest")
          .replace(":jobId", waiting.id!)
          .replace(":queueStatus", "completed")
          .replace(/:\w+/, "x");
        const asked = {
          method: method.toUpperCase(),
          headers: { ...BEARER, "content-type": "application/json" },
          body: "{}",
        };
        const { status: refused, body } = await ask(`/queues${path}`, asked);
        expect([method, pattern, refused, body]).toEqual([method, pattern, 403, expect.stringContaining("only retry")]);
      }
    }
    for (const path of ["/queues/api/queues/ingest/retry/completed", "/queues/api/queues/ingest/clean/retry"])
      expect([path, await status(path, { method: "PUT", headers: BEARER })]).toEqual([path, 403]);
    expect(await ingest.isPaused()).toBe(false);
    expect(await ingest.getJobCounts("waiting")).toEqual({ waiting: 1 });
    await waiting.remove();
  });

  test("retries a failed job only with its own CSRF token, and keeps that in the audit log", async () => {
    const derive = queues.queue(QUEUES.derive);
    const failing = new Worker(QUEUES.derive, () => Promise.reject(new Error("a drill")), {
      connection: queues.redis,
      prefix: derive.opts.prefix!,
    });
    const jobs = await derive.addBulk([1, 2].map(() => ({ name: "documents", data: {} })));
    while ((await derive.getFailedCount()) < 2) await new Promise((done) => setTimeout(done, 50));
    await failing.close();

    const page = (await ask("/queues", { headers: BASIC })).body;
    const csrf = /<meta name="csrf-token" content="([^"]+)">/.exec(page)![1]!;
    expect((await ask("/queues/csrf.js", { headers: BASIC })).body).toContain("X-CSRF-Token");
    const retry = (path: string, headers: Record<string, string>) =>
      status(`/queues/api/queues/derive/${path}`, { method: "PUT", headers });
    expect(await retry(`${jobs[0]!.id}/retry`, BASIC)).toBe(403);
    expect(await retry(`${jobs[0]!.id}/retry`, { ...BASIC, "x-csrf-token": `${csrf}x` })).toBe(403);
    expect(await derive.getFailedCount()).toBe(2);
    expect(await retry(`${jobs[0]!.id}/retry`, { ...BASIC, "x-csrf-token": csrf })).toBe(204);
    expect(await jobs[0]!.getState()).toBe("waiting");
    expect(await retry("retry/failed", BEARER)).toBe(200);
    expect(await derive.getFailedCount()).toBe(0);
    expect(await retry("no-such-job/retry", BEARER)).toBe(404);

    const log = await createAccountStore(client, names).audit();
    const kept = log.map(({ action, actor, details }) => [action, actor.replace(/@.*/, ""), details]).toReversed();
    expect(kept).toEqual([
      ["failed.retry", "queues:ann", { queue: "derive", job: jobs[0]!.id, outcome: "done", retried: "1" }],
      ["failed.retry", "queues:operator", { queue: "derive", job: "all", outcome: "done", retried: "1" }],
      ["failed.retry", "queues:operator", { queue: "derive", job: "no-such-job", outcome: "refused: 404" }],
    ]);
    expect(log[0]!.actor).toMatch(/@127\.0\.0\.1$/);
  });

  test("shows dead letters, also those that Tranche did not write", async () => {
    const letters = queues.queue<DeadLetter | object>(QUEUES.deadLetters);
    await letters.add("x", { any: "thing" });
    const { status: shown, body } = await ask("/queues/api/queues?activeQueue=dead-letters&page=1&jobsPerPage=10", {
      headers: BASIC,
    });
    expect(shown).toBe(200);
    expect(body).toContain('"any":"thing"');
  });
});
