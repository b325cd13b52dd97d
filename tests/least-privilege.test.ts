import { setTimeout as pause } from "node:timers/promises";
import { createSearchClient } from "@tranche/shared/search/client";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type EnginesWithRoles, startEnginesWithRoles } from "./support/engines-with-roles.ts";
import { createService, freePort } from "./support/service.ts";

let printed = "";
const service = createService(
  { elasticsearchUrl: "", redisUrl: "" },
  { onOutput: (text) => void (printed += text), env: { TRANCHE_API_PROCESSES: "1" } },
);
let engines: EnginesWithRoles | undefined;
beforeAll(async () => {
  engines = await startEnginesWithRoles(service.namespace, inject("redisUrl"));
}, 240_000);
afterAll(async () => {
  await service.stop();
  await engines?.close();
});

/** The settings by which a process reaches the engines as its own user. */
const as = (name: "api" | "indexer" | "dashboard" | "ops") => {
  const { elasticsearchUrl, redisUrl } = engines!.of(name);
  return { ELASTICSEARCH_URL: elasticsearchUrl, REDIS_URL: redisUrl };
};

test("every process does its work with the rights of infra/roles alone", { timeout: 300_000 }, async (context) => {
  if (!engines) {
    console.log("LEFT OUT: least privilege. There is no local Elasticsearch to start with security.");
    return context.skip("no local Elasticsearch to start with security");
  }
  // The API comes first: it may not create what it needs.
  const api = service.startApi({ ...as("api"), TRANCHE_OPERATOR_TOKEN: "token" });
  while (!printed.includes("this process may not create indices")) await Promise.race([pause(100), api.then(() => {})]);
  const health = await freePort();
  await service.startIndexer({ ...as("indexer"), TRANCHE_INDEXER_PORT: String(health) });
  await api;
  await service.startDashboard(as("dashboard"));

  Object.assign(service.env, as("ops"));
  const records = [
    { type: "company", id: "c1", name: "Acme", observed_at: "2025-01-01" },
    { type: "round", id: "r1", company_id: "c1", announced_date: "2025-01-01", amount_usd: 1, deal_type: "Seed" },
  ];
  const ingested = await service.ops(["ingest", "-", "--wait"], records.map((line) => JSON.stringify(line)).join("\n"));
  expect(ingested.code, ingested.stderr).toBe(0);
  const key = await service.key();
  const found = await fetch(`${service.base}/companies`, { headers: { Authorization: `Bearer ${key}` } });
  expect([found.status, await found.json()]).toMatchObject([200, { data: [{ company: { name: "Acme" } }] }]);
  const rebuilt = await service.ops(["reindex", "--wait"]);
  expect(rebuilt.code, rebuilt.stderr).toBe(0);
  const operators = { Authorization: "Bearer token", "Content-Type": "application/json" };
  const body = JSON.stringify({ name: "Made on the pages", plan: "scale" });
  const made = await fetch(`${service.operator}/operators/api/accounts`, { method: "POST", headers: operators, body });
  expect(made.status, await made.text()).toBeLessThan(300);
  const signedIn = await fetch(`${service.dashboard}/api/session`);
  expect(signedIn.status, "asked for its session, the dashboard reads Elasticsearch or needs no cookie").toBeLessThan(
    500,
  );
  for (const path of ["/health/ready", "/metrics"])
    expect((await fetch(`http://127.0.0.1:${health}${path}`)).status).toBe(200);
  expect(await engines.refusedByRedis()).toEqual([]);
  expect(printed).not.toMatch(/security_exception|NOPERM/);

  const client = createSearchClient({ url: as("api").ELASTICSEARCH_URL }, { connections: 1, requestTimeoutMs: 30_000 });
  const index = `${service.namespace}-records-company`;
  const refused = { meta: { statusCode: 403 } };
  await expect(client.index({ index, document: {} })).rejects.toMatchObject(refused);
  await expect(client.indices.create({ index: `${service.namespace}-more` })).rejects.toMatchObject(refused);
  await expect(client.indices.delete({ index: `${service.namespace}-accounts` })).rejects.toMatchObject(refused);
  await client.close();
  const dashboard = createSearchClient(
    { url: as("dashboard").ELASTICSEARCH_URL },
    { connections: 1, requestTimeoutMs: 30_000 },
  );
  await expect(dashboard.search({ index })).rejects.toMatchObject(refused);
  await dashboard.close();
});
