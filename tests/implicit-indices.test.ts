import { setTimeout as pause } from "node:timers/promises";
import { ensureIndices } from "@tranche/read-models/indices/creation";
import { refreshed } from "@tranche/shared/engines/search/refreshed";
import { storeIndices } from "@tranche/shared/engines/search/store-indices";
import { expect, test } from "vitest";
import { withService } from "./support/with-service.ts";
import { company, round } from "./support/writes.ts";

const LAYOUT = { shards: 1, replicas: 0 };
const { queues, client, names } = withService({ now: "2025-06-15T12:00:00Z", start: ["indexer"] });

test("no write creates an index of the store", async () => {
  const indices = storeIndices(names, LAYOUT).map(({ index }) => index);
  await client.indices.delete({ index: indices });
  for (const index of indices) {
    await expect(client.index({ index, id: "1", document: { id: "1" } })).rejects.toMatchObject({
      meta: { statusCode: 404 },
    });
  }
  expect(await client.indices.exists({ index: indices[0]! })).toBe(false);
  await ensureIndices(client, names, LAYOUT);
});

test("ingest waits while an index is missing, such as during a restore, and then continues", async () => {
  const index = names.record("round");
  await client.indices.delete({ index });
  await queues.send([company(1, "co-1"), round(1, "rnd-1", "co-1")]);
  await pause(3000);
  expect(await queues.open()).toBeGreaterThan(0);
  expect(await client.indices.exists({ index })).toBe(false);
  await ensureIndices(client, names, LAYOUT);
  await queues.settled(60_000);
  expect(await queues.failedJobs()).toEqual([]);
  expect(await queues.letters()).toEqual([]);
  const found = await client.indices.getMapping({ index });
  expect(found[index]!.mappings).toMatchObject({ properties: { company_id: { type: "keyword" } } });
  expect((await client.get({ index: names.role("funding", "live"), id: "rnd-1" })).found).toBe(true);
});

test("a refresh does not pass over a missing index of the store", async () => {
  await client.indices.delete({ index: names.edges });
  const reasons: string[] = [];
  let done = false;
  const waiting = refreshed(client, [names.edges, names.stakes], ({ message }) => reasons.push(message)).then(
    () => (done = true),
  );
  while (reasons.length === 0) await pause(50);
  expect([done, reasons[0]]).toEqual([false, expect.stringContaining("missing")]);
  await ensureIndices(client, names, LAYOUT);
  await waiting;
});
