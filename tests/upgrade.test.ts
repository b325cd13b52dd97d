import { readModelIndex } from "@tranche/read-models/indices/mappings";
import { READ_MODELS, type ReadModel } from "@tranche/shared/search/index-names";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createService } from "./support/service.ts";
import { withService } from "./support/with-service.ts";
import { company, investor, round, signal } from "./support/writes.ts";

/** The fields that schema 3 added. */
const ADDED: Record<ReadModel, string[]> = {
  funding: ["company_keys", "lead_investor_keys", "lead_investor_ids"],
  signals: [
    "company_keys",
    "investor_keys",
    "investor_ids",
    "total_raised_usd",
    "round_count",
    "signal_detections",
    "newest_detected_at",
  ],
  // Schema 3 added the read model itself.
  investors: [],
};

const { engines, service, queues, client, names } = withService({ now: "2025-06-15T12:00:00Z" });
/** The same installation, to see what its indexer logs. */
let log = "";
const upgraded = createService(engines, {
  now: "2025-06-15T12:00:00Z",
  env: { TRANCHE_NAMESPACE: service.namespace },
  onOutput: (text) => (log += text),
});

beforeAll(async () => {
  for (const model of READ_MODELS) {
    const { settings, mappings } = readModelIndex(model, { shards: 1, replicas: 0 });
    const properties = Object.fromEntries(
      Object.entries(mappings.properties).filter(([field]) => !ADDED[model].includes(field)),
    );
    const index = names.generation(model, new Date(0));
    const aliases = { [names.role(model, "live")]: { is_write_index: true }, [names.ownAlias(index)]: {} };
    await client.indices.create({
      index,
      aliases,
      settings,
      mappings: { ...mappings, _meta: { schema: 2 }, properties },
    });
  }
  await upgraded.startIndexer();
});
afterAll(() => upgraded.stop());

const status = async () => {
  const { code, stdout } = await service.ops(["status", "--json"]);
  expect(code).toBe(0);
  return JSON.parse(stdout) as { outdated_indices: string[]; dead_letters: { count: number } };
};

test("an indexer takes up indices of an earlier schema, and says that a rebuild is due", async () => {
  await queues.send([
    company(1, "co-1", { domain: "one.example" }),
    investor(1, "inv-1"),
    round(1, "rnd-1", "co-1", { investors: [{ investor_id: "inv-1", is_lead: true }], amount_usd: 5 }),
    signal(1, "co-1", "hiring", { detected_at: "2025-06-10" }),
  ]);
  await queues.settled();
  const live = READ_MODELS.map((model) => names.generation(model, new Date(0)));
  expect(await status()).toMatchObject({ outdated_indices: live, dead_letters: { count: 0 } });
  expect((await service.ops(["status"])).stdout).toContain("A rebuild is due");
  expect(log).toContain("run `ops reindex`");
  const found = async (model: ReadModel, field: string) =>
    (await client.count({ index: names.role(model, "live"), query: { exists: { field } } })).count;
  for (const model of READ_MODELS) for (const field of ADDED[model]) expect(await found(model, field), field).toBe(1);
});

test("after the rebuild none is due", async () => {
  expect((await service.ops(["reindex", "--wait", "--json"])).code).toBe(0);
  expect(await status()).toMatchObject({ outdated_indices: [] });
});
