import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { refreshed } from "@tranche/shared/engines/search/refreshed";
import { afterAll, expect, test } from "vitest";
import { withService } from "../support/with-service.ts";

const { engines, service, client } = withService({ start: ["indexer", "api"] });
const index = `r${randomBytes(6).toString("hex")}-away`;
const nowhere = { "index.routing.allocation.require._name": "a-node-that-does-not-exist" };
afterAll(() => client.indices.delete({ index }, { ignore: [404] }));

test("nothing comes within the longest wait for changes", { timeout: 60_000 }, async () => {
  const headers = { Authorization: `Bearer ${await service.key("scale")}` };
  const answer = await fetch(`${service.base}/funding/changes?wait=30`, { headers });
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ data: [], has_more: false })]);
});

test("a refresh without its primary, which Elasticsearch calls a success, waits until the primary is there", async () => {
  await client.indices.create({
    index,
    settings: { refresh_interval: "-1", number_of_replicas: 0, ...nowhere },
    wait_for_active_shards: 0,
    timeout: "1s",
  });
  const retries: string[] = [];
  let done = false;
  const patient = createSearchClient({ url: engines.elasticsearchUrl }, { connections: 1, requestTimeoutMs: 90_000 });
  const waiting = refreshed(patient, index, (error) => retries.push(error.message)).then(() => (done = true));
  while (retries.length === 0) await pause(100);
  expect(retries[0]).toBe(`a primary shard of ${index} is not there, so it can't be refreshed`);
  expect(done).toBe(false);
  await client.indices.putSettings({ index, settings: { "index.routing.allocation.require._name": null } });
  await client.cluster.reroute({ retry_failed: true });
  await waiting;
  await patient.close();
}, 200_000);
