import { createSearchClient } from "@tranche/shared/search/client";
import { indexNames } from "@tranche/shared/search/index-names";
import { byCodePoint } from "@tranche/shared/text/order";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { purgeNow } from "./support/passing-time.ts";
import { openQueues } from "./support/queues.ts";
import { createService } from "./support/service.ts";
import { company, deletion, round } from "./support/writes.ts";

describe("what is kept for a while", () => {
  const engines = { elasticsearchUrl: inject("elasticsearchUrl"), redisUrl: inject("redisUrl") };
  // Writes are of 2023-11-14 here, see `write`.
  const service = createService(engines, { now: "2023-11-20T00:00:00Z" });
  const queues = openQueues(engines.redisUrl, service.namespace);
  const client = createSearchClient({ url: engines.elasticsearchUrl }, { connections: 4, requestTimeoutMs: 30_000 });
  const names = indexNames(service.namespace);
  const kept = async (index: string) => {
    await client.indices.refresh({ index });
    const found = await client.search({ index, size: 100, sort: "_doc" });
    return found.hits.hits.map((hit) => hit._id!).toSorted(byCodePoint);
  };
  const writes = [
    ...["2022-01-01", "2022-02-01", "2022-09-01", "2022-12-01", "2023-11-01"].map((day, n) =>
      company(n + 1, "co-1", { observed_at: day, tech_stack: ["Go"] }),
    ),
    company(1, "co-2", { observed_at: "2022-01-01", tech_stack: ["Go"] }),
    company(1, "co-3", { observed_at: "2023-11-01", tech_stack: ["Go"] }),
    round(1, "rnd-1", "co-1"),
    round(1, "rnd-2", "co-1"),
    round(2, "rnd-2", "co-2"),
    deletion(3, "round", "rnd-2"),
    deletion(2, "company", "co-3"),
  ];
  const at = async (now: string) => {
    service.env["TRANCHE_NOW"] = now;
    await service.stop();
    await service.startIndexer();
    await purgeNow({ queues });
  };

  beforeAll(async () => {
    await service.startIndexer();
    await queues.send(writes);
    await queues.settled();
  });
  afterAll(async () => {
    await service.stop();
    await queues.close();
    await client.close();
  });

  test("deleted records stay for 30 days, snapshots for 13 months", async () => {
    await purgeNow({ queues });
    expect(await kept(names.record("round"))).toEqual(["rnd-1", "rnd-2"]);
    expect(await kept(names.record("company"))).toEqual(["co-1", "co-2", "co-3"]);
    expect(await kept(names.edges)).toHaveLength(3);
    expect(await kept(names.record("snapshot"))).toEqual([
      "co-1@2022-09-01",
      "co-1@2022-12-01",
      "co-1@2023-11-01",
      "co-2@2022-01-01",
      "co-3@2023-11-01",
    ]);
  });

  test("then they go, with the edges of a round; a company's last old snapshot stays", async () => {
    await at("2024-01-05T00:00:00Z");
    expect(await kept(names.record("round"))).toEqual(["rnd-1"]);
    expect(await kept(names.record("company"))).toEqual(["co-1", "co-2"]);
    expect(await kept(names.edges)).toHaveLength(1);
    expect(await kept(names.record("snapshot"))).toEqual(["co-1@2022-12-01", "co-1@2023-11-01", "co-2@2022-01-01"]);
  });

  test("every document is what a fresh derivation makes of what is left, and ids may be used again", async () => {
    const verified = await service.ops(["verify", "--json"]);
    expect(JSON.parse(verified.stdout)).toMatchObject({ differing: 0 });
    await queues.send([company(4, "co-3"), round(4, "rnd-2", "co-3")]);
    await queues.settled();
    const found = await client.search({ index: names.role("funding", "live"), query: { term: { id: "rnd-2" } } });
    expect(found.hits.hits).toHaveLength(1);
  });
});
