import { createSearchClient } from "@tranche/shared/engines/search/client";
import { refreshed } from "@tranche/shared/engines/search/refreshed";
import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { ENGINES } from "./support/engines.ts";
import { addReplicas, replicasFromStart } from "../apps/indexer/rebuild/replicas.ts";

const client = createSearchClient({ url: ENGINES.elasticsearchUrl }, { connections: 2, requestTimeoutMs: 30_000 });
const prefix = `r${randomBytes(6).toString("hex")}`;

afterAll(async () => {
  await client.indices.delete({ index: [`${prefix}-replicas`, `${prefix}-placed`] }, { ignore: [404] });
  await client.close();
});

const create = (name: string, settings: object) =>
  client.indices.create({
    index: `${prefix}-${name}`,
    settings: { refresh_interval: "-1", ...settings },
    wait_for_active_shards: 0,
    timeout: "1s",
  });

test("a refresh does not wait for replicas that can't be placed", async () => {
  const index = `${prefix}-replicas`;
  await create("replicas", { number_of_replicas: 2 });
  await client.index({ index, id: "1", document: {} });
  await refreshed(client, index);
  expect((await client.count({ index })).count).toBe(1);
});

test("a refresh of an index that is not there has nothing to do", () => refreshed(client, `${prefix}-missing`));

test("replicas that can't be placed fail the rebuild with the reason, and do not hold it up for ever", async () => {
  const index = `${prefix}-placed`;
  await create("placed", { number_of_replicas: 0 });
  await addReplicas(client, [index], 0, 100);
  await expect(addReplicas(client, [index], 2, 1500)).rejects.toThrow(
    /^2 of the new shards can't be placed \(2 replicas of each\): add nodes, or lower TRANCHE_REPLICAS/,
  );
});

test("with one data node, new indices have no replicas from the start", async () => {
  expect(await replicasFromStart(client, 1)).toBe(0);
  expect(await replicasFromStart(client, 0)).toBe(0);
});
