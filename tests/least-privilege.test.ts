import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import { createLinkStore } from "@tranche/shared/accounts/link-store";
import { createMemberStore } from "@tranche/shared/accounts/member-store";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DashboardRequests } from "../apps/dashboard/routes/routes.ts";
import { type DashboardClient, openDashboard } from "./support/dashboard-client.ts";
import { type ElasticsearchWithRoles, startElasticsearchWithRoles } from "./support/elasticsearch-with-roles.ts";
import { ENGINES } from "./support/engines.ts";
import { mcpClient } from "./support/mcp-client.ts";
import { oauthApplication } from "./support/oauth-application.ts";
import { createRedisRoles, type Process, PROCESSES, type RedisRoles } from "./support/redis-roles.ts";
import { createService, freePort } from "./support/service.ts";
import { unlessBusy } from "./support/unless-busy.ts";
import { startReceiver } from "./support/webhook-receiver.ts";
import { withinASecond } from "./support/within-a-second.ts";
import { PAUSES } from "./support/pauses.ts";

type ApplicationsView = DashboardRequests["GET /applications"]["data"];

const ENV = {
  TRANCHE_PAUSES: PAUSES,
  TRANCHE_WEBHOOK_KEY: randomBytes(32).toString("base64"),
  TRANCHE_WEBHOOK_TARGETS: "any",
};
let printed = "";
const service = createService(
  { elasticsearchUrl: "", redisUrl: "" },
  { onOutput: (text) => void (printed += text), env: ENV },
);
const mcp = mcpClient(() => service.base);
const application = oauthApplication({ dashboard: () => service.dashboard, resource: mcp.address });
let redisRoles: RedisRoles;
let elasticsearch: ElasticsearchWithRoles | undefined;
beforeAll(async () => {
  redisRoles = await createRedisRoles(service.namespace, ENGINES.redisUrl);
  elasticsearch = await startElasticsearchWithRoles(service.namespace);
}, 240_000);
afterAll(async () => {
  await service.stop();
  await redisRoles.close();
  await elasticsearch?.close();
});

/** The settings by which a process reaches the engines as its own user. */
const as = (name: Process) => ({ ELASTICSEARCH_URL: elasticsearch!.of(name), REDIS_URL: redisRoles.of(name) });

test("every process does its work with the rights of infra/roles alone", { timeout: 300_000 }, async (context) => {
  if (!elasticsearch) {
    console.log("LEFT OUT: least privilege. There is no local Elasticsearch to start with security.");
    return context.skip("no local Elasticsearch to start with security");
  }
  // The API comes first: it may not create what it needs.
  const api = service.startApi(as("api"));
  while (!printed.includes("this process may not create indices")) await Promise.race([pause(100), api.then(() => {})]);
  const health = await freePort();
  await service.startIndexer({ ...as("indexer"), TRANCHE_INDEXER_PORT: String(health) });
  await api;
  await service.startOperators({ ...as("operators"), TRANCHE_OPERATOR_TOKEN: "token" });
  await service.startDashboard(as("dashboard"));

  Object.assign(service.env, as("ops"));
  const records = [
    { type: "company", id: "c1", name: "Acme", observed_at: "2025-01-01" },
    { type: "round", id: "r1", company_id: "c1", announced_date: "2025-01-01", amount_usd: 1, deal_type: "Seed" },
  ];
  const ingested = await service.ops(["ingest", "-", "--wait"], records.map((line) => JSON.stringify(line)).join("\n"));
  expect(ingested.code, ingested.stderr).toBe(0);
  const key = await service.key();
  const get = (path: string) => fetch(service.base + path, { headers: { Authorization: `Bearer ${key}` } });
  const found = await unlessBusy(() => get("/companies"));
  expect([found.status, await found.json()]).toMatchObject([200, { data: [{ company: { name: "Acme" } }] }]);
  // Null while Redis is silent for a moment.
  const freshness = async () => (await get("/freshness")).json();
  await expect.poll(freshness).toMatchObject({ delay_seconds: expect.any(Number) });
  const rebuilt = await service.ops(["reindex", "--wait"]);
  expect(rebuilt.code, rebuilt.stderr).toBe(0);
  // A plan without exports gets positions that this service signs.
  const plain = await service.key("starter");
  const followed = await unlessBusy(() =>
    fetch(`${service.base}/funding/changes`, { headers: { Authorization: `Bearer ${plain}` } }),
  );
  expect(followed.status, await followed.text()).toBe(200);
  await useOperatorsPages();
  await useDashboard();
  for (const path of ["/health/ready", "/metrics"])
    expect((await fetch(`http://127.0.0.1:${health}${path}`)).status).toBe(200);
  expect(await redisRoles.refused()).toEqual([]);
  expect(printed).not.toMatch(/security_exception|NOPERM/);
});

/** An operator does on the pages what needs the engines. */
async function useOperatorsPages(): Promise<void> {
  const headers = { Authorization: "Bearer token", "Content-Type": "application/json" };
  const ask = async (method: string, path: string, sent?: object) => {
    const body = sent && JSON.stringify(sent);
    const answer = await fetch(`${service.operator}${path}`, { method, headers, ...(body ? { body } : {}) });
    const text = await answer.text();
    expect(answer.status, `${method} ${path}: ${text}`).toBeLessThan(300);
    return text;
  };
  const api = "/operators/api";
  const made = JSON.parse(await ask("POST", `${api}/accounts`, { name: "Made on the pages", plan: "scale" })) as {
    data: { id: string };
  };
  const account = `${api}/accounts/${made.data.id}`;
  const key = JSON.parse(await ask("POST", `${account}/keys`, { name: "second" })) as { data: { id: string } };
  for (const path of ["/metrics", "/health/ready"]) await ask("GET", path);
  for (const path of [
    "/status",
    "/accounts",
    "/queues",
    "/queues/ingest?state=failed",
    "/dead-letters",
    "/mappings",
    "/requests",
    `/requests/${made.data.id}`,
  ])
    await ask("GET", api + path);
  for (const path of ["/rebuild", "/audit", "/plans"]) await ask("GET", api + path);
  await ask("GET", account);
  for (const [path, sent] of [
    [`${api}/queues/ingest/retry`, { ids: "all" }],
    [`${api}/dead-letters/discard`, { ids: "all" }],
    [`${api}/rebuild/rollback`, {}],
    [`${account}/sign-in-link`, { email: "ada@example.com" }],
    [`${account}/suspend`, { reason: "a test" }],
    [`${account}/resume`, {}],
    [`${account}/throttle`, { burst: 1, reason: "a test" }],
    [`${account}/unthrottle`, {}],
    [`${api}/keys/${key.data.id}/revoke`, {}],
    [`${account}/delete`, { confirm: made.data.id }],
    [`${api}/rebuild/start`, {}],
  ] as const)
    await ask("POST", path, sent);
  await ask("PUT", `${api}/accounts/${(await firstAccount()).id}/plan`, { plan: "growth" });
}

async function firstAccount(): Promise<{ id: string }> {
  const listed = await service.ops(["accounts", "list", "--json"]);
  return (JSON.parse(listed.stdout) as { id: string }[])[0]!;
}

/** A member does on the dashboard what needs the engines. */
async function useDashboard(): Promise<void> {
  const names = indexNames(service.namespace);
  const member = { account: (await firstAccount()).id, email: "ada@example.com", role: "admin" } as const;
  const dashboard = openDashboard(service.dashboard);
  await asSearchClient("ops", async (client) => {
    await createMemberStore(client, names).add(member);
    await dashboard.signIn(await createLinkStore(client, names).create(member));
  });
  await useApplication(dashboard);
  const receiver = await startReceiver();
  try {
    const search = { name: "Rounds", list: "funding", query: "" };
    const { id } = (await dashboard.ask("POST", "/searches", search)).body.data as { id: string };
    for (const [method, path, body] of [
      ["GET", "/sessions"],
      ["POST", "/keys", { name: "export" }],
      ["GET", "/keys"],
      ["GET", "/usage/daily"],
      ["GET", "/usage/errors"],
      ["GET", "/v1/funding"],
      ["POST", `/searches/${id}/feeds`],
      ["POST", "/members", { email: "ben@example.com", role: "admin" }],
      ["POST", "/webhooks", { ...search, url: receiver.url, from: "now" }],
      ["GET", "/webhooks"],
    ] as const) {
      const answer = await dashboard.ask(method, path, body);
      expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    }
  } finally {
    await receiver.close();
  }
}

/** A member connects an application, which asks, and ends it. */
async function useApplication(dashboard: DashboardClient): Promise<void> {
  await application.start();
  const { refresh_token } = await application.connect(dashboard);
  const { access_token } = (await application.refresh(refresh_token)).body;
  expect((await mcp.ask(access_token, "tools/list")).status).toBe(200);
  const listed = (await dashboard.ask("GET", "/applications")).body as { data: ApplicationsView };
  const { id } = listed.data.applications[0]!;
  expect((await dashboard.ask("DELETE", `/applications/${id}`)).status).toBe(204);
  await withinASecond(async () => (await mcp.ask(access_token, "tools/list")).status, 401);
}

/** The client of a process to Elasticsearch, as its own user. */
async function asSearchClient<T>(name: Process, use: (client: Client) => Promise<T>): Promise<T> {
  const url = elasticsearch!.of(name);
  const client = createSearchClient({ url }, { connections: 1, requestTimeoutMs: 30_000 });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

/** Commands of Redis that no process may use: they reach what others have in the same Redis. */
const NEVER = [
  ["FLUSHALL"],
  ["FLUSHDB"],
  ["SWAPDB", "0", "1"],
  ["KEYS", "*"],
  ["RANDOMKEY"],
  ["DBSIZE"],
  ["MIGRATE", "127.0.0.1", "1", "key", "0", "1"],
  ["RESTORE", "key", "0", "value"],
  ["DUMP", "key"],
  ["MOVE", "key", "1"],
  ["SORT", "key"],
  ["CLIENT", "KILL", "ID", "1"],
  ["CLIENT", "PAUSE", "1"],
  ["SCRIPT", "FLUSH"],
  ["SCRIPT", "KILL"],
  ["CONFIG", "GET", "*"],
  ["DEBUG", "SLEEP", "0"],
  ["MONITOR"],
  ["SHUTDOWN"],
  ["SAVE"],
  ["REPLICAOF", "NO", "ONE"],
  ["ACL", "LIST"],
  ["PUBLISH", "channel", "message"],
  ["SUBSCRIBE", "channel"],
  ["EVAL", "return redis.call('FLUSHALL')", "0"],
];

/** Keys that a process may not touch, with `ns` for the namespace. What is not its own is refused for reading and writing. */
const FOREIGN_KEYS: Record<Process, string[]> = {
  api: [
    "ns:dashboard:mails",
    "ns:paused-webhook:w1",
    "{ns}:ingest-leader",
    "{ns}:webhook-turn:w1",
    "{ns}:ingest:wait",
    "{ns}:dead-letters:wait",
    "{ns}:ingest-run:r1",
    "{ns}:noted-derive",
  ],
  operators: [
    "ns:dashboard:mails",
    "ns:paused-webhook:w1",
    "{ns}:ingest-leader",
    "{ns}:webhook-turn:w1",
    "{ns}:api-processes",
    "ns:{a1}:burst",
    "ns:{a1}:exports",
    "ns:{a1}:feed:hash",
  ],
  indexer: [
    "ns:requests:{1}",
    "ns:dashboard:mails",
    "ns:paused-webhook:w1",
    "ns:{a1}:account",
    "ns:{a1}:key:hash",
    "ns:{a1}:signouts",
    "ns:{a1}:burst",
    "ns:{a1}:usage:2026-01-01",
    "ns:{a1}:errors",
  ],
  dashboard: [
    "ns:requests:{1}",
    "{ns}:ingest:wait",
    "{ns}:rebuild:wait",
    "{ns}:dead-letters:wait",
    "{ns}:generation:funding",
    "{ns}:api-processes",
    "{ns}:ingest-leader",
    "ns:{a1}:month",
    "ns:{a1}:burst",
    "ns:{a1}:feed:hash",
    "ns:{a1}:feeds:2026-01-01",
  ],
  ops: ["ns:dashboard:mails", "ns:paused-webhook:w1"],
};

test.for(PROCESSES)("Redis refuses to %s what is not its work", async (name) => {
  const redis = new Redis(redisRoles.of(name), { disableClientInfo: true });
  try {
    const refusalOf = async ([command, ...rest]: string[]) => {
      const answer = await redis.call(command!, rest).then(
        () => "done",
        (error: Error) => error.message,
      );
      // Redis 7 refuses DEBUG by its own setting, before it looks at rights.
      return /NOPERM|can't run this command|ACL failure|DEBUG command not allowed/.test(answer) ? "refused" : answer;
    };
    for (const command of name === "ops" ? NEVER : [...NEVER, ["SCAN", "0"]])
      expect([command, await refusalOf(command)]).toEqual([command, "refused"]);
    const ofOthers = ["other:{a1}:account", "{other}:ingest:wait", "other"];
    const keys = [...FOREIGN_KEYS[name], ...ofOthers].map((key) => key.replace("ns", service.namespace));
    for (const command of keys.flatMap((key) => [
      ["LPUSH", key, "x"],
      ["TYPE", key],
      ["DEL", key],
      ["EVAL", "return redis.call('EXISTS', KEYS[1])", "1", key],
    ]))
      expect([command, await refusalOf(command)]).toEqual([command, "refused"]);
    // Both enqueue records, and may be told to wait for replicas.
    if (name === "operators" || name === "ops") expect(await redis.call("WAIT", "0", "1")).toBe(0);
    // The refusals above come from the rights, not from a connection that never signed in.
    expect(await redis.exists(`{${service.namespace}}`)).toBe(0);
  } finally {
    redis.disconnect();
  }
});

test.for(PROCESSES)("Elasticsearch refuses to %s what is not its work", async (name, context) => {
  if (!elasticsearch) return context.skip("no local Elasticsearch to start with security");
  const own = (index: string) => `${service.namespace}-${index}`;
  const records = own("records-company");
  await asSearchClient(name, async (client) => {
    const write = (index: string) => () => client.index({ index, id: "x", document: {} });
    const always = [
      write("other-accounts"),
      () => client.search({ index: "other-accounts" }),
      () => client.indices.create({ index: "other-more" }),
      () => client.indices.delete({ index: "other-accounts" }),
      () => client.cluster.putSettings({ persistent: { "action.destructive_requires_name": true } }),
      () => client.indices.putIndexTemplate({ name: own("store"), index_patterns: ["*"] }),
      () => client.snapshot.createRepository({ name: "x", repository: { type: "fs", settings: { location: "x" } } }),
      () => client.security.createApiKey({ name: "x" }),
      () => client.security.putUser({ username: "x", password: "xxxxxx", roles: ["superuser"] }),
    ];
    const indices = [
      () => client.indices.create({ index: own("more") }),
      () => client.indices.delete({ index: own("accounts") }),
      () => client.indices.putMapping({ index: records, properties: { more: { type: "keyword" } } }),
      () => client.indices.putSettings({ index: own("accounts"), settings: { number_of_replicas: 0 } }),
      () => client.indices.updateAliases({ actions: [{ add: { index: records, alias: own("x") } }] }),
    ];
    const ofOthers: Record<Process, (() => Promise<unknown>)[]> = {
      api: [
        ...indices,
        ...["records-company", "funding", "edges", "deliveries", "dashboard"].map((index) => write(own(index))),
        () => client.delete({ index: own("accounts"), id: "x" }),
        // It makes its key there once, and changes nothing.
        () => client.index({ index: own("control"), id: "x", document: {} }),
      ],
      operators: [
        ...indices,
        ...["records-company", "funding", "edges", "deliveries"].map((index) => write(own(index))),
        async () => {
          const [live] = Object.keys(await client.indices.getAlias({ name: own("funding") }));
          await client.indices.delete({ index: live! });
        },
      ],
      indexer: [() => client.search({ index: own("dashboard") }), write(own("dashboard"))],
      dashboard: [
        ...indices,
        ...["records-company", "funding", "control", "edges"].flatMap((index) => [
          () => client.search({ index: own(index) }),
          write(own(index)),
        ]),
      ],
      ops: [],
    };
    for (const call of [...always, ...ofOthers[name]]) {
      const status = await call().then(
        () => "done",
        (error: { meta?: { statusCode?: number } }) => error.meta?.statusCode ?? "another error",
      );
      expect([String(call), status]).toEqual([String(call), 403]);
    }
  });
});
