import { readModelIndex } from "@tranche/read-models/indices/mappings";
import { OWN_VERSIONS } from "@tranche/read-models/indices/versions";
import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { moveRoles, readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { READ_MODELS, type ReadModel } from "@tranche/shared/engines/search/index-names";
import { beforeAll, expect, test, vi } from "vitest";
import { olderIndex } from "./support/older-schema.ts";
import { metricsOf } from "./support/metrics.ts";
import { freePort } from "./support/service.ts";
import { withService } from "./support/with-service.ts";
import { company, investor, round, signal } from "./support/writes.ts";

let log = "";
const port = await freePort();
const { service, queues, client, names } = withService({
  now: "2025-06-15T12:00:00Z",
  env: { TRANCHE_INDEXER_PORT: String(port) },
  onOutput: (text) => (log += text),
});
let headers: Record<string, string>;
/** The read models that the older version had. */
const EARLIER = ["funding", "companies"] as const;
const heldJobs = async () => /^tranche_jobs_held (\d)$/m.exec(await metricsOf(`http://127.0.0.1:${port}`))?.[1];

beforeAll(async () => {
  for (const model of EARLIER) {
    const index = names.generation(model, new Date(0));
    const aliases = { [names.role(model, "live")]: { is_write_index: true }, [names.ownAlias(index)]: {} };
    await client.indices.create({ index, aliases, ...olderIndex(model) });
  }
  await Promise.all([service.startIndexer(), service.startApi()]);
  headers = { authorization: `Bearer ${await service.key()}` };
});

const status = async () => {
  const { code, stdout } = await service.ops(["status", "--json"]);
  expect(code).toBe(0);
  return JSON.parse(stdout) as {
    outdated_indices: { index: string; why: string[] }[];
    dead_letters: { count: number };
  };
};

test("an indexer takes up indices of an earlier schema, and says that a rebuild is due", async () => {
  await queues.send([
    company(1, "co-1", { domain: "one.example" }),
    investor(1, "inv-1"),
    round(1, "rnd-1", "co-1", { investors: [{ investor_id: "inv-1", is_lead: true }], amount_usd: 5 }),
    signal(1, "co-1", "hiring", { detected_at: "2025-06-10" }),
  ]);
  await queues.settled();
  const live = EARLIER.map((model) => names.generation(model, new Date(0)));
  expect(await status()).toMatchObject({
    outdated_indices: live.map((index) => ({ index, why: ["mapping", "derivation"] })),
    dead_letters: { count: 0 },
  });
  expect((await service.ops(["status"])).stdout).toContain("A rebuild is due");
  expect(log).toContain("run `ops reindex`");
  const found = async (model: ReadModel, field: string) =>
    (await client.count({ index: names.role(model, "live"), query: { exists: { field } } })).count;
  for (const field of ["lead_investor_ids", "amount_cents"]) expect(await found("funding", field), field).toBe(1);
  for (const field of ["investor_keys", "name_prefixes"]) expect(await found("companies", field), field).toBe(1);
});

const STATISTICS = ["/funding/stats", "/funding/stats?group_by=year", "/signals/stats?group_by=signal"];
const ask = (path: string) => fetch(service.base + path, { headers });

test("statistics, which need a field that older documents lack, wait for the rebuild", async () => {
  for (const path of STATISTICS) {
    const refused = await ask(path);
    expect([path, refused.status, refused.headers.get("retry-after")]).toEqual([path, 503, "60"]);
    expect(await refused.text()).toContain("can't answer the figures of statistics yet");
  }
  expect((await ask("/funding?country=DE")).status).toBe(200);
});

test("after the rebuild none is due", async () => {
  expect((await service.ops(["reindex", "--wait", "--json"])).code).toBe(0);
  expect(await status()).toMatchObject({ outdated_indices: [] });
  for (const path of STATISTICS) {
    await expect.poll(async () => (await ask(path)).status, { timeout: 30_000, message: path }).toBe(200);
  }
  expect(await (await ask("/funding/stats")).json()).toMatchObject({ total: { count: 1, total_amount_usd: 5 } });
});

/** Puts indices of a later version in the place of the live ones, as a newer indexer would; returns what undoes it. */
async function swapToLater(): Promise<() => Promise<void>> {
  const roles = await readIndexRoles(client, names);
  const later = READ_MODELS.map((model) => ({ model, index: names.generation(model, new Date(1)) }));
  for (const { model, index } of later) {
    const { settings, mappings } = readModelIndex(model, { shards: 1, replicas: 0 });
    const meta = { ...OWN_VERSIONS, schema: OWN_VERSIONS.schema + 1 };
    const aliases = { [names.ownAlias(index)]: {} };
    await client.indices.create({ index, aliases, settings, mappings: { ...mappings, _meta: meta } });
  }
  const swap = later.flatMap(({ model, index }) => [
    { model, role: "previous" as const, from: roles[model].previous, to: roles[model].live },
    { model, role: "live" as const, from: roles[model].live, to: index },
  ]);
  expect(await moveRoles(client, names, swap)).toBe(true);
  const back = later.flatMap(({ model, index }) => [
    { model, role: "previous" as const, from: roles[model].live, to: index },
    { model, role: "live" as const, from: index, to: roles[model].live },
  ]);
  return async () => expect(await moveRoles(client, names, back)).toBe(true);
}

test("an indexer leaves indices and jobs of a later version alone, and continues when it may write again", async () => {
  expect(await heldJobs()).toBe("0");
  const goBack = await queues.withoutUpkeep(swapToLater);
  await queues.send([round(2, "rnd-1", "co-1", { amount_usd: 6 })]);
  await vi.waitFor(() => expect(log).toContain("this indexer takes no jobs"), 30_000);
  expect(await heldJobs()).toBe("1");
  expect((await status()).outdated_indices).toContainEqual({
    index: names.generation("funding", new Date(1)),
    why: ["newer"],
  });
  expect((await service.ops(["status"])).stdout).toContain("Indexers of this version take no jobs");
  expect((await client.count({ index: names.generation("funding", new Date(1)) })).count).toBe(0);
  expect([await queues.open(), await queues.letters(), await queues.failedJobs()]).toEqual([1, [], []]);

  await goBack();
  await queues.settled();
  const { _source: shown } = await client.get<{ amount_usd: number }>({
    index: names.role("funding", "live"),
    id: "rnd-1",
  });
  expect(shown!.amount_usd).toBe(6);
  // It can't keep the later index up to date, so nothing may go back to it.
  const roles = await readIndexRoles(client, names);
  expect(READ_MODELS.map((model) => roles[model].previous)).toEqual([undefined, undefined, undefined]);
  expect((await service.ops(["rollback"])).stderr).toContain("of a later version");
});

test("a job of a newer format waits for a newer indexer; it neither fails nor holds up others", async () => {
  const newer = await queues.queue(QUEUES.ingest).add("records", { format: 99, records: { packed: true } });
  await queues.send([round(3, "rnd-1", "co-1", { amount_usd: 7 })]);
  const found = async () =>
    (await client.get<{ amount_usd: number }>({ index: names.role("funding", "live"), id: "rnd-1" }))._source;
  await vi.waitFor(async () => expect(await found()).toMatchObject({ amount_usd: 7 }), 30_000);
  await vi.waitFor(async () => expect(await newer.getState()).toBe("delayed"), 30_000);
  expect([await queues.letters(), await queues.failedJobs()]).toEqual([[], []]);
  await newer.remove();
});

test("a document that only the previous index refuses is not a dead letter: nothing may go back to that index", async () => {
  await queues.withoutUpkeep(async () => {
    const roles = await readIndexRoles(client, names);
    const changes = READ_MODELS.map((model) => ({ model, index: names.generation(model, new Date(2)) }));
    for (const { model, index } of changes) {
      const { settings, mappings } = readModelIndex(model, { shards: 1, replicas: 0 });
      // Of the same type, so that only Elasticsearch knows that it takes no days.
      const strict = { type: "date", format: "strict_year" } as const;
      const properties = { ...mappings.properties, ...(model === "funding" && { announced_date: strict }) };
      const aliases = { [names.ownAlias(index)]: {} };
      await client.indices.create({ index, aliases, settings, mappings: { ...mappings, properties } });
    }
    const previous = changes.map(({ model, index }) => ({
      model,
      role: "previous" as const,
      from: roles[model].previous,
      to: index,
    }));
    expect(await moveRoles(client, names, previous)).toBe(true);
  });
  await queues.send([round(4, "rnd-1", "co-1", { amount_usd: 8 })]);
  await queues.settled();
  const live = await client.get<{ amount_usd: number }>({ index: names.role("funding", "live"), id: "rnd-1" });
  expect(live._source).toMatchObject({ amount_usd: 8 });
  expect([await queues.letters(), await queues.failedJobs()]).toEqual([[], []]);
  expect((await readIndexRoles(client, names)).funding.previous).toBeUndefined();
  expect(log).toContain("it refused document rnd-1 of funding");
});
