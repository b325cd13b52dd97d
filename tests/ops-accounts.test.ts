import { spawn } from "node:child_process";
import { join } from "node:path";
import { handleOfKey, hashOfKey } from "@tranche/shared/accounts/api-key";
import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { createSearchClient } from "@tranche/shared/search/client";
import { indexNames } from "@tranche/shared/search/indices";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, expect, inject, test } from "vitest";

const namespace = `acc_${process.pid}_${Date.now().toString(36)}`.slice(0, 30);
const env = {
  ...process.env,
  ELASTICSEARCH_URL: inject("elasticsearchUrl"),
  REDIS_URL: inject("redisUrl"),
  TRANCHE_NAMESPACE: namespace,
};
const client = createSearchClient({ url: inject("elasticsearchUrl") }, { connections: 2, requestTimeoutMs: 10_000 });
const store = createAccountStore(client, indexNames(namespace).accounts);
const redis = new Redis(inject("redisUrl"), { maxRetriesPerRequest: null });
const queue = (name: string) => new Queue(name, { connection: redis, prefix: `{${namespace}}` });

afterAll(async () => {
  await fetch(`${inject("elasticsearchUrl")}/${namespace}-*?expand_wildcards=all`, { method: "DELETE" }).catch(
    () => {},
  );
  const keys = await redis.keys(`{${namespace}}*`);
  if (keys.length > 0) await redis.del(keys);
  redis.disconnect();
  await client.close();
});

async function ops(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "../apps/ops/main.ts"), ...args], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (part) => (out += part));
    child.stderr.on("data", (part) => (err += part));
    child.on("close", (code) => resolve({ code, out, err }));
  });
}
const held = (key: string) => store.caller(handleOfKey(key)!, hashOfKey(key));
const json = async (...args: string[]) => JSON.parse((await ops(...args, "--json")).out);

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

test("the demo account is made once, and only its newest key holds", async () => {
  const first = await json("demo-account");
  const second = await json("demo-account");
  expect(second).toMatchObject({ id: first.id, name: "Demo", plan: "scale" });
  expect((await held(first.key))!.key.revoked_at).not.toBeNull();
  expect((await held(second.key))!.key.revoked_at).toBeNull();
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
    expect((await ingest.getWaiting()).map((job) => job.data)).toEqual([{ records: [write] }]);
    expect(await json("failed", "discard", "--all")).toEqual({ discarded: 1 });
    expect(await json("failed", "list")).toEqual({ total: 0, failed: [] });
    expect(await ops("failed", "retry", "one")).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no 'one'"),
    });
  } finally {
    await Promise.all([letters.close(), ingest.close()]);
  }
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
