import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectFolder } from "../tools/local-engines/data-folder.ts";
import { buildPages } from "../web/building.ts";
import { withService } from "./support/with-service.ts";
import { company, round } from "./support/writes.ts";

const { engines, service, queues, client, names } = withService({ now: "2025-06-15T12:00:00Z", start: ["indexer"] });
const home = mkdtempSync(join(tmpdir(), "tranche-format-"));

beforeAll(async () => {
  await buildPages(() => {});
  await queues.send([company(1, "c1"), round(1, "r1", "c1")]);
  await queues.investorsSettled();
  await service.key();
  await service.stop();
}, 120_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Everything of the namespace: its indices and how many operations each shard has seen, and its keys, but for those that expire. */
async function everything() {
  const index = `${service.namespace}-*`;
  const { indices } = await client.indices.stats({ index, level: "shards" });
  const operations = Object.entries(indices!).map(([name, { shards }]) => [
    name,
    Object.values(shards!).map((copies) => copies.map(({ seq_no }) => seq_no!.max_seq_no)),
  ]);
  const keys: Record<string, string> = {};
  const redis = new Redis(engines.redisUrl);
  for (const match of [`{${service.namespace}}:*`, `${service.namespace}:*`]) {
    for await (const found of redis.scanStream({ match }) as AsyncIterable<string[]>) {
      for (const key of found)
        if ((await redis.pttl(key)) === -1) keys[key] = (await redis.dumpBuffer(key)).toString("hex");
    }
  }
  redis.disconnect();
  return { indices: await client.indices.get({ index }), operations: Object.fromEntries(operations), keys };
}

/** Runs `npm start` to its end. */
async function npmStart(): Promise<string> {
  const ports = { PORT: "0", TRANCHE_OPERATOR_PORT: "0", TRANCHE_DASHBOARD_PORT: "0" };
  const env = { ...service.env, ...ports, TRANCHE_HOME: home };
  const child = spawn(process.execPath, [join(projectFolder(), "infra/start/main.ts"), "--no-sample"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  return (await buffer(child.stderr)).toString();
}

const failure = (started: Promise<unknown>): Promise<string> =>
  started.then(
    () => "it started",
    (error: Error) => error.message,
  );
const REFUSED_BY: Record<string, () => Promise<string>> = {
  indexer: () => failure(service.startIndexer()),
  api: () => failure(service.startApi()),
  operators: () => failure(service.startOperators()),
  dashboard: () => failure(service.startDashboard()),
  ops: async () => (await service.ops(["status"])).stderr,
  "npm start": npmStart,
};

describe.each([
  ["no format", {}, /of a commit before formats .*ops -- export.* at commit [0-9a-f]{8,} .*ops -- ingest/],
  ["a later format", { format: 2 }, /has format 2, .*use the version that made it, or a later one/],
])("an installation with %s", (_, _meta, sentence) => {
  beforeAll(async () => void (await client.indices.putMapping({ index: names.control, _meta })));

  test("is refused by every process, and nothing in it changes", { timeout: 120_000 }, async () => {
    const before = await everything();
    expect(Object.keys(before.keys).length).toBeGreaterThan(3);
    for (const [process, start] of Object.entries(REFUSED_BY))
      expect([process, await start()]).toEqual([process, expect.stringMatching(sentence)]);
    expect(await everything()).toEqual(before);
  });
});

test("a home of before is refused before anything in it changes", async () => {
  for (const file of readdirSync(home)) rmSync(join(home, file), { recursive: true });
  const state = '{"sample": false, "stores": {"local": "loaded"}}';
  writeFileSync(join(home, "sample.json"), state);
  expect(await npmStart()).toContain(`${home} is of a commit before formats`);
  expect(readdirSync(home)).toEqual(["sample.json"]);
  expect(readFileSync(join(home, "sample.json"), "utf8")).toBe(state);
});
