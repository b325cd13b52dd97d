import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { type DeadLetter, QUEUES } from "@tranche/shared/protocol/queue/queues";
import { Worker } from "bullmq";
import type { QueueState } from "@tranche/operations/queues/state";
import type { Webhook } from "@tranche/webhooks/webhook";
import { createWebhookStore } from "@tranche/webhooks/webhook-store";
import { beforeAll, describe, expect, test } from "vitest";
import { csrfTokenOf } from "@tranche/http/pages/csrf";
import type { OperatorRequests } from "../apps/operators/routes/routes.ts";
import { statusOfBytes } from "./support/raw-request.ts";
import { metricsOf } from "./support/metrics.ts";
import { withService } from "./support/with-service.ts";

type QueueView = OperatorRequests["GET /queues/:id"]["data"];

const QUEUES_API = "/operators/api/queues";
const TOKEN = "a-token-of-the-operators";
const BEARER = { authorization: `Bearer ${TOKEN}` };
const BASIC = { authorization: `Basic ${Buffer.from(`ann:${TOKEN}`).toString("base64")}` };

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: string };
type Asked = { method?: string; headers?: Record<string, string>; body?: string };

const { service, queues, client, names } = withService();
let port: number;

beforeAll(async () => {
  await service.startOperators({
    TRANCHE_OPERATOR_TOKEN: TOKEN,
    TRANCHE_OPERATOR_HOSTS: "metrics.internal",
  });
  port = Number(new URL(service.operator).port);
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

  test("everything else: only with the token, for which a browser asks people outside of the pages", async () => {
    for (const path of [QUEUES_API, `${QUEUES_API}/ingest`, "/queues/ingest", "/no-such-page"]) {
      const { status: refused, headers } = await ask(path);
      const asks = path.startsWith("/operators/") ? undefined : expect.stringContaining("Basic realm=");
      expect([path, refused, headers["www-authenticate"]]).toEqual([path, 401, asks]);
    }
    for (const headers of [BEARER, BASIC]) {
      expect(await status(QUEUES_API, { headers })).toBe(200);
      expect(await status("/no-such-page", { headers })).toBe(404);
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
      for (const path of ["/metrics", "/health/live", "/operators/", "/queues", QUEUES_API])
        for (const token of [{}, BEARER, BASIC])
          expect([path, headers, await status(path, { headers: { ...headers, ...token } })]).toEqual([
            path,
            headers,
            403,
          ]);
    for (const site of ["same-origin", "none"])
      expect(await status(QUEUES_API, { headers: { "sec-fetch-site": site, ...BASIC } })).toBe(200);
    const own = { "sec-fetch-site": "same-origin", origin: `http://127.0.0.1:${port}`, ...BASIC };
    expect(await status(QUEUES_API, { headers: own })).toBe(200);
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
    const without = await service.startOperators();
    const other = Number(new URL(service.operator).port);
    expect(await status("/metrics", {}, other)).toBe(200);
    expect(await status("/metrics", { headers: { host: "evil.example" } }, other)).toBe(403);
    for (const headers of [{}, { authorization: "Bearer undefined" }, { authorization: "Basic YW5uOg==" }]) {
      const refused = await ask(QUEUES_API, { headers: headers as Record<string, string> }, other);
      expect([refused.status, refused.body]).toEqual([403, expect.stringContaining("set TRANCHE_OPERATOR_TOKEN")]);
    }
    without.kill();
  });

  test.each([
    [undefined, "is not set. Set it to"],
    ["a", "is too short"],
    ["replace-me", "is the text of an example"],
  ])("with the token %j, beyond loopback: it does not start, and says why", (token, why) => {
    const beyond = { TRANCHE_OPERATOR_PORT: "0", TRANCHE_OPERATOR_HOST: "0.0.0.0", TRANCHE_OPERATOR_TOKEN: token };
    const { status: code, stderr } = spawnSync(process.execPath, ["apps/operators/main.ts"], {
      env: { ...service.env, ...beyond },
      encoding: "utf8",
      timeout: 30_000,
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^TRANCHE_OPERATOR_HOST is '0\\.0\\.0\\.0', .*TRANCHE_OPERATOR_TOKEN ${why}`));
  });
});

describe("the queues", () => {
  const view = async (path: string) => {
    const { status: shown, body } = await ask(`${QUEUES_API}/${path}`, { headers: BASIC });
    expect([path, shown]).toEqual([path, 200]);
    return (JSON.parse(body) as { data: QueueView }).data;
  };
  const codeOf = ({ status: refused, body }: Answer) => [
    refused,
    (JSON.parse(body) as { error: { code: string } }).error.code,
  ];
  const retry = (queue: string, ids: unknown, headers: Record<string, string> = BEARER) =>
    ask(`${QUEUES_API}/${queue}/retry`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ ids }),
    });

  test.each(["{", "[1,", '{"a": 1'])("answer a body that is no JSON (%s) with 400", async (body) => {
    const headers = { ...BEARER, "content-type": "application/json" };
    const answer = await ask(`${QUEUES_API}/derive/retry`, { method: "POST", headers, body });
    expect(codeOf(answer)).toEqual([400, "invalid_request"]);
  });

  test("can't be framed, and load nothing from other hosts", async () => {
    for (const path of ["/operators/queues", QUEUES_API, "/metrics"]) {
      const { headers } = await ask(path, { headers: BASIC });
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "x-frame-options": "DENY",
      });
      const policy = String(headers["content-security-policy"]).split("; ");
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ]),
      );
      expect(policy.join(" ")).not.toMatch(/unsafe|https?:/);
    }
  });

  test("show their jobs in pages of 20, the next one first, without the keys in them", async () => {
    const ingest = queues.queue<object>(QUEUES.ingest);
    const jobs = await ingest.addBulk(
      Array.from({ length: 45 }, (_, n) => ({ name: "records", data: { n, key: "trn_8kQ2mZ0a_AbCdEf" } })),
    );
    const states = async () => {
      const { body } = await ask(QUEUES_API, { headers: BASIC });
      return (JSON.parse(body) as { data: QueueState[] }).data;
    };
    // Readings are shared for a moment.
    await expect
      .poll(async () => (await states())[0], { timeout: 5000 })
      .toMatchObject({ queue: "ingest", waiting: 45 });
    expect((await states()).map(({ queue }) => queue)).toEqual(Object.values(QUEUES));

    const [first, last, beyond] = [await view("ingest"), await view("ingest?page=3"), await view("ingest?page=4")];
    expect(first).toMatchObject({ page: 1, pages: 3, state: { waiting: 45 } });
    expect(first.jobs.map(({ id }) => id)).toEqual(jobs.slice(0, 20).map(({ id }) => id));
    expect(first.jobs[0]).toEqual({
      id: jobs[0]!.id,
      name: "records",
      at: new Date(jobs[0]!.timestamp).toISOString(),
      attempts: 0,
      reason: null,
      data: JSON.stringify({ n: 0, key: "[redacted]" }, null, 2),
    });
    expect([last.jobs.length, beyond.jobs.length]).toEqual([5, 0]);
    await ingest.obliterate();
  });

  test("say what is wrong with a request", async () => {
    for (const [path, status_, text] of [
      ["nothing", 404, "There is no queue 'nothing'. The queues are ingest, "],
      ["constructor", 404, "There is no queue"],
      ["ingest?state=completed", 400, "state must be one of waiting, active, delayed, failed."],
      ["ingest?page=0", 400, "page must be a whole number"],
      ["ingest?page=1&page=2", 400, "page must be a whole number"],
    ] as const) {
      const { status: refused, body } = await ask(`${QUEUES_API}/${path}`, { headers: BASIC });
      expect([path, refused, body]).toEqual([path, status_, expect.stringContaining(text)]);
    }
    expect(codeOf(await retry("nothing", "all"))).toEqual([404, "not_found"]);
    expect(codeOf(await retry("derive", []))).toEqual([400, "invalid_request"]);
    expect(codeOf(await retry("dead-letters", "all"))).toEqual([409, "conflict"]);
  });

  test("retry failed jobs only with the CSRF token, and that is in the audit log", async () => {
    const derive = queues.queue(QUEUES.derive);
    const failing = new Worker(QUEUES.derive, () => Promise.reject(new Error("a drill")), {
      connection: queues.redis,
      prefix: derive.opts.prefix!,
    });
    const jobs = await derive.addBulk([1, 2, 3].map(() => ({ name: "documents", data: {} })));
    while ((await derive.getFailedCount()) < 3) await new Promise((done) => setTimeout(done, 50));
    await failing.close();
    const shown = await view("derive?state=failed");
    expect(shown.jobs.map(({ reason, attempts }) => [reason, attempts])).toEqual(jobs.map(() => ["a drill", 1]));

    const csrf = csrfTokenOf(TOKEN, "the operators' pages");
    const one = [jobs[0]!.id];
    expect(codeOf(await retry("derive", one, BASIC))).toEqual([403, "csrf_failed"]);
    expect(codeOf(await retry("derive", one, { ...BASIC, "x-csrf-token": `${csrf}x` }))).toEqual([403, "csrf_failed"]);
    expect(await derive.getFailedCount()).toBe(3);
    const answer = await retry("derive", one, { ...BASIC, "x-csrf-token": csrf });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { data: { done: 1, foreign: 0 } }]);
    expect(await jobs[0]!.getState()).toBe("waiting");
    expect(JSON.parse((await retry("derive", "all")).body)).toEqual({ data: { done: 2, foreign: 0 } });
    expect(await derive.getJobCounts("waiting", "failed")).toEqual({ waiting: 3, failed: 0 });
    const missing = await retry("derive", ["no-such-job"]);
    expect([missing.status, missing.body]).toEqual([
      404,
      expect.stringContaining("There is no dead letter or failed job 'derive/no-such-job'."),
    ]);

    const log = await createAccountStore(client, names).audit();
    expect(log.map(({ action, actor, details }) => [action, actor, details]).toReversed()).toEqual([
      ["failed.retry", "operators:127.0.0.1", { ids: `derive/${one[0]}`, outcome: "done", retried: "1" }],
      ["failed.retry", "operators:127.0.0.1", { queue: "derive", ids: "all", outcome: "done", retried: "2" }],
      ["failed.retry", "operators:127.0.0.1", expect.objectContaining({ ids: "derive/no-such-job" })],
    ]);
  });

  test("show dead letters, also those that Tranche did not write", async () => {
    await queues.queue<DeadLetter | object>(QUEUES.deadLetters).add("x", { any: "thing" });
    expect((await view("dead-letters")).jobs).toMatchObject([{ name: "x", data: expect.stringContaining('"any"') }]);
  });
});

test("figures of what operators did: refused lines, the last backup, webhooks; and the version that runs", async () => {
  const figures = async () => {
    const text = await metricsOf(`http://127.0.0.1:${port}`);
    const value = (name: string) =>
      Number(text.match(new RegExp(`^${name.replaceAll(/[{}]/g, "\\$&")} (\\S+)$`, "m"))?.[1]);
    return {
      refused: value("tranche_refused_lines"),
      backup: value("tranche_last_backup_timestamp_seconds"),
      paused: value('tranche_webhooks{status="paused"}'),
      due: value("tranche_rebuild_due"),
      text,
    };
  };
  await expect.poll(figures).toMatchObject({ refused: 0, backup: 0, paused: NaN, due: 0 });

  const since = Date.now() / 1000;
  await service.ops(["ingest", "-"], '{"type":"company"}\n{"no":"type"}\n');
  await service.ops(["backup", "-"]);
  const paused = { kind: "webhook", webhook_id: "w1", account: "a1", status: "paused", list: "funding", url: "" };
  await createWebhookStore(client, names.accounts, { actor: "test" }).create(paused as Webhook);
  await expect.poll(figures).toMatchObject({ refused: 2, paused: 1, due: 0 });
  const { backup, text } = await figures();
  expect(backup).toBeGreaterThanOrEqual(since - 1);
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(text).toContain(`tranche_build_info{version="${version}",revision=""} 1`);
  expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
  expect(JSON.parse((await ask("/health/ready")).body)).toEqual({ status: "ready", version });
});
