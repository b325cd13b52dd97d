import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { handleOfKey, hashOfKey } from "@tranche/shared/accounts/api-key";
import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { createIngestTokenStore } from "@tranche/shared/accounts/ingest-token-store";
import { createMappingStore } from "@tranche/shared/accounts/mapping-store";
import { accountRedisKeys } from "@tranche/shared/accounts/redis-keys";
import { JOB_FORMATS } from "@tranche/shared/protocol/queue/formats";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, expect, test } from "vitest";
import { ENGINES } from "./support/engines.ts";
import { callOps } from "./support/ops.ts";

const namespace = `acc_${process.pid}_${Date.now().toString(36)}`.slice(0, 30);
const env = {
  ...process.env,
  ELASTICSEARCH_URL: ENGINES.elasticsearchUrl,
  REDIS_URL: ENGINES.redisUrl,
  TRANCHE_NAMESPACE: namespace,
};
const client = createSearchClient({ url: ENGINES.elasticsearchUrl }, { connections: 2, requestTimeoutMs: 10_000 });
const store = createAccountStore(client, indexNames(namespace));
const redis = new Redis(ENGINES.redisUrl, { maxRetriesPerRequest: null });
const queue = (name: string) => new Queue(name, { connection: redis, prefix: `{${namespace}}` });

afterAll(async () => {
  await fetch(`${ENGINES.elasticsearchUrl}/${namespace}-*?expand_wildcards=all`, { method: "DELETE" }).catch(() => {});
  const keys = await redis.keys(`{${namespace}}*`);
  if (keys.length > 0) await redis.del(keys);
  redis.disconnect();
  await client.close();
});

async function ops(...args: string[]) {
  const { code, stdout: out, stderr: err } = await callOps(args, { environment: env });
  return { code, out, err };
}
const held = (key: string) => store.caller(handleOfKey(key)!, hashOfKey(key));
const json = async (...args: string[]) => JSON.parse((await ops(...args, "--json")).out);

test("a command closes its connections, also when it fails", async () => {
  await redis.ping();
  const connections = () => process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length;
  const before = connections();
  const codes = [await ops("status"), await ops("failed", "list"), await ops("keys", "revoke", "nope")];
  expect(codes.map(({ code }) => code)).toEqual([0, 0, 1]);
  await expect.poll(connections).toBeLessThanOrEqual(before);
});

test("an account comes with a key that holds, and can change its plan", async () => {
  const made = await json("accounts", "create", "--name", "Acme", "--plan", "Growth");
  expect(Object.keys(made)).toEqual(["id", "name", "plan", "key"]);
  expect(made).toMatchObject({ name: "Acme", plan: "growth" });
  const found = await held(made.key);
  expect(found).toMatchObject({ account: { account: made.id, plan: "growth" }, key: { revoked_at: null } });
  expect(await json("accounts", "set-plan", "--account", made.id, "--plan", "scale")).toMatchObject({ plan: "scale" });
  expect(await json("accounts", "list")).toMatchObject([{ id: made.id, plan: "scale" }]);
});

test("keys are made, listed without themselves, rotated and revoked", async () => {
  const { id } = await json("accounts", "create", "--name", "Keys", "--plan", "starter");
  const made = await json("keys", "create", "--account", id, "--name", "export", "--expires", "2099-01-01");
  const listed = await ops("keys", "list", "--account", id, "--json");
  expect(JSON.parse(listed.out)).toMatchObject([
    { name: "first key" },
    { name: "export", expires_at: "2099-01-01T00:00:00.000Z" },
  ]);
  expect(listed.out).not.toContain(made.key);
  const rotated = await json("keys", "rotate", made.key_id);
  expect(rotated).toMatchObject({ name: "export", expires_at: "2099-01-01T00:00:00.000Z" });
  expect(rotated.key).not.toBe(made.key);
  expect((await held(made.key))!.key.revoked_at).not.toBeNull();
  expect(await ops("keys", "revoke", rotated.key_id)).toMatchObject({ code: 0 });
  expect((await held(rotated.key))!.key.revoked_at).not.toBeNull();
  expect(await ops("keys", "revoke", "nope")).toMatchObject({
    code: 1,
    err: expect.stringContaining("There is no key 'nope'"),
  });
});

test("an account is named by its id, or by its name when no other has it", async () => {
  const { id } = await json("accounts", "create", "--name", "Solo", "--plan", "starter");
  expect(await json("accounts", "set-plan", "--account", "solo", "--plan", "growth")).toMatchObject({
    id,
    plan: "growth",
  });
  expect(await json("keys", "create", "--account", "Solo")).toMatchObject({ account: id });
  expect(await json("audit", "--account", "Solo")).toHaveLength(4);
  expect(await ops("accounts", "delete", "--account", "Solo")).toMatchObject({
    code: 2,
    err: expect.stringContaining(`delete the account ${id} (Solo) and revoke its keys`),
  });
  await json("accounts", "create", "--name", "Solo", "--plan", "starter");
  expect(await ops("keys", "list", "--account", "Solo")).toMatchObject({ code: 2, err: expect.stringContaining(id) });
  expect(await ops("keys", "list", "--account", "Solow")).toMatchObject({
    code: 1,
    err: expect.stringContaining("Did you mean"),
  });
});

test("accounts list and show have the working keys, this month's requests and the last use", async () => {
  const { id, key } = await json("accounts", "create", "--name", "Used", "--plan", "starter");
  const { key_id } = await json("keys", "create", "--account", id);
  await ops("keys", "revoke", key_id);
  const at = "2025-06-15T12:00:00.000Z";
  await store.noteUses([{ hash: hashOfKey(key), at }]);
  const { month } = accountRedisKeys(namespace, id);
  await redis.hset(month, { ends: Math.ceil(Date.now() / 1000) + 60, used: 1234 });
  const use = { id, working_keys: 1, requests_this_month: 1234, last_used_at: at };
  try {
    expect(await json("accounts", "list")).toContainEqual(expect.objectContaining(use));
    expect(await json("accounts", "show", "--account", id)).toMatchObject({ ...use, keys: [{}, { key_id }] });
    expect((await ops("accounts", "show", "--account", "Used")).out).toContain("1,234 requests this month");
    await redis.hset(month, { ends: Math.floor(Date.now() / 1000) - 60 });
    expect(await json("accounts", "show", "--account", id)).toMatchObject({ requests_this_month: 0 });
  } finally {
    await redis.del(month);
  }
});

test("the demo account is made once and keeps its key, until somebody revokes it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tranche-demo-"));
  const demo = (file: string) => json("demo-account", "--key-file", join(folder, file));
  const { id: named } = await json("accounts", "create", "--name", "Demo", "--plan", "starter");
  const first = await demo("key");
  expect(first).toMatchObject({ name: "Demo", plan: "scale" });
  expect(first.id).not.toBe(named);
  expect(await demo("key")).toMatchObject({ id: first.id, key: first.key });
  await json("keys", "revoke", (await held(first.key))!.key.key_id);
  const second = await demo("key");
  expect(second).toMatchObject({ id: first.id });
  expect(second.key).not.toBe(first.key);
  // Without its file it is a new account: the demo's member may be one of somebody's own account. No key is revoked.
  const third = await demo("lost");
  expect(third).toMatchObject({ name: "Demo", plan: "scale" });
  expect(third.id).not.toBe(first.id);
  writeFileSync(join(folder, "emptied"), "");
  expect((await demo("emptied")).key).toMatch(/^.+$/);
  expect(await demo("emptied")).toMatchObject({ key: readFileSync(join(folder, "emptied"), "utf8").trim() });
  expect((await held(second.key))!.key.revoked_at).toBeNull();
  rmSync(folder, { recursive: true });
});

test("dead letters are listed, shown, retried into the ingest queue and discarded", async () => {
  const letters = queue("dead-letters");
  const ingest = queue("ingest");
  const write = { type: "investor", id: "i1", version: 5, updated_at: "2025-06-15T12:00:00.000Z", body: null };
  await letters.add("write", { what: { kind: "write", write }, reason: "a drill" }, { jobId: "one" });
  await letters.add(
    "write",
    { what: { kind: "write", write: { ...write, id: "i2" } }, reason: "a drill" },
    { jobId: "two" },
  );
  try {
    expect(await json("failed", "list")).toMatchObject({
      total: 2,
      failed: [{ reason: "a drill" }, { reason: "a drill" }],
    });
    expect(await json("failed", "show", "one")).toMatchObject({ subject: "investor i1", data: write });
    expect(await json("status")).toMatchObject({ dead_letters: { count: 2 } });
    expect(await json("failed", "retry", "one")).toEqual({ retried: 1 });
    expect((await ingest.getWaiting()).map((job) => job.data)).toEqual([
      { format: JOB_FORMATS.ingest, records: [write] },
    ]);
    expect(await json("failed", "discard", "--all")).toEqual({ discarded: 1 });
    expect(await json("failed", "list")).toEqual({ total: 0, failed: [] });
    expect(await ops("failed", "retry", "one")).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no dead letter or failed job 'one'"),
    });
  } finally {
    await Promise.all([letters.close(), ingest.close()]);
  }
});

test("dead letters and jobs that Tranche did not write are listed, shown and discarded, and hide no others", async () => {
  const [letters, ingest] = [queue("dead-letters"), queue("ingest")];
  const prefix = `{${namespace}}:dead-letters`;
  const write = { type: "investor", id: "i9", version: 5, updated_at: "2025-06-15T12:00:00.000Z", body: null };
  const foreign = [{}, { what: null, reason: 5 }, { what: { kind: "rabbit" } }, [], "text"];
  for (const [index, data] of foreign.entries()) await letters.add("x", data, { jobId: `foreign-${index}` });
  await letters.add("x", {}, { jobId: "timeless", timestamp: 8.7e15 });
  await letters.add("write", { what: { kind: "write", write }, reason: "a drill" }, { jobId: "ours" });
  // What only somebody at Redis itself can do: data that is no JSON, and an id without a job.
  await letters.add("x", {}, { jobId: "broken" });
  await redis.hset(`${prefix}:broken`, "data", "{");
  await redis.lpush(`${prefix}:wait`, "gone");
  try {
    const listed = await json("failed", "list");
    expect(listed.total).toBe(9);
    expect(listed.failed).toContainEqual(expect.objectContaining({ id: "ours", subject: "investor i9" }));
    expect(listed.failed.filter(({ kind }: { kind: string }) => kind === "foreign")).toHaveLength(8);
    expect(await json("failed", "show", "foreign-1")).toMatchObject({
      reason: expect.stringContaining("Tranche did not write"),
      data: foreign[1],
    });
    for (const [id, reason] of Object.entries({ broken: "can't be read", gone: "gone from Redis" }))
      expect(await json("failed", "list")).toMatchObject({
        failed: expect.arrayContaining([expect.objectContaining({ id, reason: expect.stringContaining(reason) })]),
      });
    expect(await json("status")).toMatchObject({ dead_letters: { count: 9 } });
    expect(await ops("failed", "retry", "foreign-0")).toMatchObject({
      code: 1,
      err: expect.stringContaining("not written by Tranche"),
    });
    const retried = await ops("failed", "retry", "--all", "--json");
    expect([retried.code, JSON.parse(retried.out)]).toEqual([1, { retried: 1, foreign: 8 }]);
    expect((await ingest.getWaiting()).map((job) => job.data)).toContainEqual({
      format: JOB_FORMATS.ingest,
      records: [write],
    });
    expect(await json("failed", "discard", "broken")).toEqual({ discarded: 1 });
    expect(await json("failed", "discard", "--all")).toEqual({ discarded: 7 });
    expect(await json("failed", "list")).toEqual({ total: 0, failed: [] });
  } finally {
    await Promise.all([letters.close(), ingest.close()]);
  }
});

test("a job that can't be read does not stop status, and a failed one is listed", async () => {
  const ingest = queue("ingest");
  const prefix = `{${namespace}}:ingest`;
  const { id } = await ingest.add("x", {});
  await redis.hset(`${prefix}:${id}`, "data", "{");
  await redis.lrem(`${prefix}:wait`, 1, id!);
  await redis.rpush(`${prefix}:wait`, id!);
  await redis.zadd(`${prefix}:failed`, 1, "no-such-job");
  await redis.hset(`${prefix}:null-data`, { name: "x", data: "null", opts: "{}", timestamp: "1", failedReason: "why" });
  await redis.zadd(`${prefix}:failed`, 2, "null-data");
  try {
    expect(await json("status")).toMatchObject({
      queues: expect.arrayContaining([expect.objectContaining({ queue: "ingest", failed: 2 })]),
    });
    expect(await json("failed", "list")).toMatchObject({
      total: 2,
      failed: expect.arrayContaining([
        expect.objectContaining({ id: "ingest/null-data", subject: "x", reason: "why" }),
        expect.objectContaining({ id: "ingest/no-such-job" }),
      ]),
    });
    expect(await json("failed", "discard", "--all")).toEqual({ discarded: 2 });
  } finally {
    await ingest.obliterate({ force: true });
    await ingest.close();
  }
});

test("a mapping is stored with versions, the same one only once, and a bad one not at all", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tranche-mappings-"));
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const mapping = (encoding: string) => ({
    encoding,
    values: { firm: { column: "Firma.Name" } },
    records: [{ type: "company", fields: { id: "co-{firm:key}", name: "{firm}" } }],
  });
  const first = file("first.json", JSON.stringify(mapping("utf8")));
  const second = file("second.json", JSON.stringify(mapping("latin1")));
  expect(await json("mappings", "put", "deals", first)).toEqual({ name: "deals", version: 1, new: true });
  expect(await json("mappings", "put", "deals", first)).toEqual({ name: "deals", version: 1, new: false });
  // At once they get versions one after the other.
  const put = await Promise.all([json("mappings", "put", "deals", second), json("mappings", "put", "other", first)]);
  expect(put.map(({ version }) => version)).toEqual([2, 1]);
  expect(await json("mappings", "list")).toMatchObject([
    { name: "deals", version: 2, created_by: expect.stringMatching(/^ops:/) },
    { name: "other", version: 1 },
  ]);
  expect(JSON.parse((await ops("mappings", "show", "deals")).out)).toEqual(mapping("latin1"));
  expect(await json("mappings", "show", "deals@1")).toMatchObject({ mapping: mapping("utf8") });
  const wrong = await Promise.all([
    ops("mappings", "show", "deals@3"),
    ops("mappings", "put", "deals/x", first),
    ops("mappings", "put", "deals", file("bad.json", '{"records":[{"type":"compny"}]}')),
    ops("mappings", "put", "deals", file("no.json", "{")),
  ]);
  expect(wrong.map(({ code }) => code)).toEqual([1, 2, 2, 2]);
  expect(wrong[0].err).toContain("There is no version 3 of a mapping 'deals'");
  expect(wrong[2].err).toContain("records[0].type");
  expect(await json("audit")).toContainEqual(
    expect.objectContaining({ action: "mapping.put", account: null, details: { name: "deals", version: "2" } }),
  );
  rmSync(folder, { recursive: true });
});

test("a mapping put by many at once loses none of its versions", async () => {
  const stores = Array.from({ length: 4 }, (_, n) =>
    createMappingStore(client, indexNames(namespace).accounts, { actor: `one-${n}` }),
  );
  const put = await Promise.all(stores.map((each, n) => each.put("busy", { encoding: `e${n}` })));
  expect(put.map(({ stored: { version } }) => version).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  const contents = await Promise.all([1, 2, 3, 4].map(async (n) => (await stores[0]!.find("busy", n))!.content));
  expect(new Set(contents).size).toBe(4);
});

test("an ingest token is shown once, kept as a hash, and no longer works when it is revoked", async () => {
  const made = await json("ingest-tokens", "create", "--name", "CRM", "--set", "crm", "--types", "round, company");
  expect(Object.keys(made)).toEqual(["id", "name", "token"]);
  const plain = await json("ingest-tokens", "create", "--name", "plain", "--no-deletes");
  const tokens = createIngestTokenStore(client, indexNames(namespace).accounts);
  expect(await tokens.working(made.token)).toMatchObject({ set: "crm", types: ["round", "company"], deletes: true });
  expect(await tokens.working(plain.token)).toMatchObject({ set: null, types: null, deletes: false });
  expect(await tokens.working(`${made.token.slice(0, -1)}!`)).toBeUndefined();
  const listed = await ops("ingest-tokens", "list", "--json");
  expect(JSON.parse(listed.out)).toMatchObject([{ id: made.id, revoked_at: null }, { id: plain.id }]);
  expect(listed.out).not.toContain(made.token);
  const kept = await client.search({ index: indexNames(namespace).accounts, size: 1000 });
  expect(JSON.stringify(kept)).not.toContain(made.token);
  await tokens.used(await tokens.working(made.token).then((token) => token!));
  expect(await json("ingest-tokens", "revoke", made.id)).toMatchObject({
    revoked_at: expect.any(String),
    last_used_at: expect.any(String),
  });
  expect(await tokens.working(made.token)).toBeUndefined();
  const wrong = await Promise.all([
    ops("ingest-tokens", "revoke", "nope"),
    ops("ingest-tokens", "create", "--name", "x", "--types", "compny"),
    ops("ingest-tokens", "create", "--name", "x", "--set", "a b"),
  ]);
  expect(wrong.map(({ code }) => code)).toEqual([1, 2, 2]);
  const actions = (await json("audit")).map(({ action }: { action: string }) => action);
  expect(actions).toEqual(expect.arrayContaining(["ingest_token.create", "ingest_token.revoke"]));
});

test("the audit log has the actions of operators on the installation: actor, action and amount", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "tranche-audit-")), "one.ndjson");
  writeFileSync(file, '{"type":"investor","id":"audit-1","name":"One"}\n{"type":"investor"}\n');
  const letters = queue("dead-letters");
  const letter = { what: { kind: "document", model: "funding", id: "rnd-1" }, reason: "a drill" };
  for (const id of ["a", "b"]) await letters.add("document", letter, { jobId: id });
  await letters.close();
  expect((await ops("ingest", file)).code).toBe(1);
  await ops("failed", "retry", "a");
  await ops("failed", "discard", "--all");
  await ops("reindex");
  await ops("reindex", "cancel");
  expect((await ops("rollback")).code).toBe(1);

  const log: { action: string; actor: string; details: Record<string, string> }[] = await json("audit");
  const kept = (action: string) => log.find((entry) => entry.action === action);
  const by = { actor: expect.stringMatching(/^ops:[^@]+@.+/), account: null };
  expect(kept("ingest")).toMatchObject({
    ...by,
    details: { files: file, outcome: "done", enqueued: "1 investor", refused: "1" },
  });
  expect(kept("failed.retry")).toMatchObject({ ...by, details: { ids: "a", retried: "1", outcome: "done" } });
  expect(kept("failed.discard")).toMatchObject({ ...by, details: { ids: "all", discarded: "1" } });
  expect(kept("reindex")).toMatchObject({ ...by, details: { outcome: "done", rebuild: expect.any(String) } });
  expect(kept("reindex.cancel")).toMatchObject({ ...by, details: { outcome: "cancelled" } });
  expect(kept("rollback")).toMatchObject({
    ...by,
    details: { outcome: expect.stringContaining("Nothing was rolled") },
  });
  const shown = (await ops("audit")).out;
  expect(shown).toContain("failed.discard");
  expect(shown).toContain("discarded: 1");
});

const stored = (id: string, body: object | null) => ({
  id,
  version: 3,
  updated_at: "2025-06-15T12:00:00.000Z",
  ...(body ? {} : { deleted: true }),
  body,
});

test("export gives what ingest takes, in the order of ids, without what was deleted", async () => {
  const names = indexNames(namespace);
  for (const [id, body] of [
    ["b", { id: "b", name: "B" }],
    ["a", { id: "a", name: "A" }],
    ["c", null],
  ] as const) {
    await client.index({ index: names.record("investor"), id, document: stored(id, body), refresh: true });
  }
  const ran = await ops("export", "--type", "investor");
  expect(
    ran.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { type: "investor", version: 3, id: "a", name: "A" },
    { type: "investor", version: 3, id: "b", name: "B" },
  ]);
  expect(await json("export")).toHaveLength(2);
});
