import { once } from "node:events";
import type { Explanation } from "@tranche/operations/explain/explain";
import { type DeadLetter, JOB_OPTIONS, QUEUES } from "@tranche/shared/protocol/queue/queues";
import { beforeAll, describe, expect, test } from "vitest";
import { withService } from "./support/with-service.ts";
import { company, deletion, investor, merging, round } from "./support/writes.ts";

const { service, queues, client, names } = withService({ now: "2025-06-15T12:00:00Z" });

async function explained(type: string, id: string): Promise<Explanation> {
  const { code, stdout, stderr } = await service.ops(["explain", type, id, "--json"]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Explanation;
}

let indexer: Awaited<ReturnType<typeof service.startIndexer>>;

beforeAll(async () => {
  indexer = await service.startIndexer();
  await queues.send([
    company(1, "co-1"),
    investor(4, "inv-1"),
    round(3, "rnd-1", "co-1", { investors: [{ investor_id: "inv-1" }, { investor_id: "inv-3" }] }),
    round(1, "rnd-2", "co-7"),
    round(1, "rnd-3", "co-1"),
    merging(2, "company", "co-1", { city: "Berlin" }),
  ]);
  await queues.send([deletion(5, "round", "rnd-3")]);
  await queues.investorsSettled();
});

describe("with an indexer", () => {
  test("a round that is shown: its records, its ticket, and the investor that is left out", async () => {
    const { document, records, why, jobs, stakes } = await explained("funding", "rnd-1");
    expect(document).toMatchObject({
      derivation: "document",
      indices: [{ role: "live", state: "shown", compared: "same", ticket: expect.any(Number) }],
    });
    expect(records).toMatchObject([
      { type: "round", id: "rnd-1", state: "stored", version: 3 },
      { type: "company", id: "co-1", state: "stored", version: 2, merges: [{ version: 2, fields: ["city"] }] },
      { type: "investor", id: "inv-1", state: "stored", version: 4 },
      { type: "investor", id: "inv-3", state: "unknown", version: null },
    ]);
    expect(stakes).toEqual([{ round_id: "rnd-1", investor_ids: ["inv-1", "inv-3"] }]);
    expect(why).toContain("Investor inv-3 is not known yet and is left out.");
    expect(why).toContain("The live index shows it, as the records say.");
    expect(jobs).toMatchObject({ waiting: 0, naming: 0 });
  });

  test("a round without its company, and one that was deleted", async () => {
    expect((await explained("round", "rnd-2")).why).toEqual([
      "The round waits for its company co-7, which was never ingested, or its delete was purged.",
      "The live index leaves it out, as the records say.",
    ]);
    const { document, why } = await explained("round", "rnd-3");
    expect(document).toMatchObject({ derivation: "gone", indices: [{ state: "gone", compared: "same" }] });
    expect(why[0]).toMatch(/^The document shows nothing: round rnd-3 was deleted at version 5 \(/);
  });

  test("a company with its rounds, one nobody knows but a round, and an investor", async () => {
    expect((await explained("company", "co-1")).why).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^The company is version 2, with 1 round, 0 ingested signals/),
        "Deleted, so they no longer count: round rnd-3.",
      ]),
    );
    expect((await explained("signals", "co-7")).why).toContain("1 record waits for this company: round rnd-2.");
    expect((await explained("investors", "inv-1")).why[0]).toMatch(/^The investor is version 4; 1 round names it/);
  });

  test("a document that is stale, in both indices' terms and for people", async () => {
    const [index] = Object.keys(await client.indices.getAlias({ name: names.role("funding", "live") }));
    const [hit] = (await client.search({ index: index!, query: { ids: { values: ["rnd-1"] } }, version: true })).hits
      .hits;
    const document = hit!._source as { row: string };
    const row = JSON.stringify({ ...(JSON.parse(document.row) as object), amount_usd: 7 });
    await client.index({
      index: index!,
      id: "rnd-1",
      document: { ...document, row },
      version: hit!._version! + 1,
      version_type: "external",
      refresh: true,
    });
    const letter: DeadLetter = { what: { kind: "document", model: "funding", id: "rnd-1" }, reason: "too large" };
    const { id } = await queues.queue<DeadLetter>(QUEUES.deadLetters).add("document", letter, JOB_OPTIONS);

    const { document: found, why, dead_letters } = await explained("funding", "rnd-1");
    expect(found!.indices).toMatchObject([
      {
        compared: "stale",
        ticket: hit!._version! + 1,
        differences: [{ field: "row.amount_usd", stored: "7", derived: "1000000" }],
      },
    ]);
    expect(why).toContain("The live index is stale in row.amount_usd. If no job is open, run `ops verify --repair`.");
    expect(dead_letters).toMatchObject([{ id, subject: "document rnd-1 of funding", reason: "too large" }]);
    const { stdout } = await service.ops(["explain", "funding", "rnd-1"]);
    for (const text of ["stale", "row.amount_usd", "1000000", "Company co-1", "too large", `ops failed show ${id}`]) {
      expect(stdout).toContain(text);
    }
  });

  test("an unknown id ends with 1 and names the nearest ones", async () => {
    const { code, stdout, stderr } = await service.ops(["explain", "funding", "rnd-9"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("Unknown round 'rnd-9'");
    expect(stderr).toContain("The nearest ids are rnd-");
    expect((await service.ops(["explain", "funding", "co-1"])).stderr).toContain("`ops explain company co-1`");
    expect((await service.ops(["explain", "rounds", "rnd-1"])).code).toBe(2);
  });
});

test("without an indexer it shows what is stored, and that nothing was compared", async () => {
  indexer.kill("SIGTERM");
  await once(indexer, "exit");
  const { document, why } = await explained("funding", "rnd-2");
  expect(document!.indices).toMatchObject([{ role: "live", state: "gone", compared: "unknown" }]);
  expect(why).toContainEqual(expect.stringMatching(/^The indices were not compared .* no indexer is connected/));
  await queues.send([round(2, "rnd-2", "co-7")]);
  expect((await explained("funding", "rnd-2")).why).toContain(
    "1 open job names it or one of its records: it may change in a moment.",
  );
});
