import { byCodePoint } from "@tranche/shared/domain/text/order";
import { beforeAll, describe, expect, test } from "vitest";
import { purgeNow } from "./support/passing-time.ts";
import { withService } from "./support/with-service.ts";
import { company, deletion, round } from "./support/writes.ts";

describe("the purge", () => {
  // `write` makes records of 2023-11-14.
  const { service, queues, client, names } = withService({ now: "2023-11-20T00:00:00Z", start: ["indexer"] });
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
    round(2, "rnd-2", "co-2", { investor_ids: ["inv-1"] }),
    deletion(3, "round", "rnd-2"),
    deletion(2, "company", "co-3"),
    company(1, "co-4", { observed_at: "2023-11-01", tech_stack: ["Go"] }),
    deletion(2, "company", "co-4"),
    company(3, "co-4", { observed_at: "2023-10-01", tech_stack: ["Rust"] }),
  ];
  const at = async (now: string) => {
    service.env["TRANCHE_NOW"] = now;
    await service.stop();
    await service.startIndexer();
    await purgeNow({ queues });
  };

  beforeAll(async () => {
    await queues.send(writes);
    await queues.settled();
  });

  test("keeps deleted records for 30 days and snapshots for 13 months", async () => {
    await purgeNow({ queues });
    expect(await kept(names.record("round"))).toEqual(["rnd-1", "rnd-2"]);
    expect(await kept(names.record("company"))).toEqual(["co-1", "co-2", "co-3", "co-4"]);
    expect(await kept(names.edges)).toHaveLength(3);
    expect(await kept(names.stakes)).toHaveLength(1);
    expect(await kept(names.record("snapshot"))).toEqual([
      "co-1@2022-09-01#technologies",
      "co-1@2022-12-01#technologies",
      "co-1@2023-11-01#technologies",
      "co-2@2022-01-01#technologies",
      "co-3#deleted",
      "co-4#deleted",
      "co-4@2023-10-01#technologies",
    ]);
  });

  test("then deletes them, with a round's edges and stakes, but keeps a company's last old snapshot", async () => {
    await at("2024-01-05T00:00:00Z");
    expect(await kept(names.record("round"))).toEqual(["rnd-1"]);
    expect(await kept(names.record("company"))).toEqual(["co-1", "co-2", "co-4"]);
    expect(await kept(names.edges)).toHaveLength(1);
    expect(await kept(names.stakes)).toEqual([]);
    expect(await kept(names.record("snapshot"))).toEqual([
      "co-1@2022-12-01#technologies",
      "co-1@2023-11-01#technologies",
      "co-2@2022-01-01#technologies",
      "co-4@2023-10-01#technologies",
    ]);
  });

  test("leaves every document as a fresh derivation makes it, and ids that can be used again", async () => {
    const verified = await service.ops(["verify", "--json"]);
    expect(JSON.parse(verified.stdout)).toMatchObject({ differing: 0 });
    await queues.send([company(4, "co-3"), round(4, "rnd-2", "co-3")]);
    await queues.settled();
    const found = await client.search({ index: names.role("funding", "live"), query: { term: { id: "rnd-2" } } });
    expect(found.hits.hits).toHaveLength(1);
  });
});
