import type { RecordType, RecordWrite } from "@tranche/shared/domain/records/record";
import { type ParsedRecord, parseRecord } from "@tranche/shared/domain/records/parse";
import { readDealTypes } from "@tranche/shared/process/vocabulary-file";
import { beforeAll, describe, expect, test } from "vitest";
import type { Existing } from "@tranche/intake/reading/existing";
import { createComparison } from "@tranche/intake/reading/comparison";
import { createRandom, type Random } from "./drills/random.ts";
import { compareDocuments, expectedDocuments, searchableDocuments } from "./support/expected.ts";
import { deleteNamespace } from "./support/namespace.ts";
import { PAUSES } from "./support/pauses.ts";
import { purgeNow } from "./support/passing-time.ts";
import { createService } from "./support/service.ts";
import { withService } from "./support/with-service.ts";
import { company, deletion, investor, merging, round, signal } from "./support/writes.ts";
import { fetchUnlessBusy } from "./support/unless-busy.ts";

const NOW = "2025-06-15T12:00:00Z";
const { engines, service, queues, client, names } = withService({ now: NOW, start: ["indexer", "api"] });
/** All writes that were sent. */
const sent: RecordWrite[] = [];

/** Each group is a job of its own; all of them wait in the queue together. */
async function ingest(...groups: RecordWrite[][]): Promise<void> {
  for (const group of groups) {
    sent.push(...group);
    await queues.send(group);
  }
  await queues.settled();
}

async function expectDocuments(): Promise<void> {
  await queues.investorsSettled();
  const comparison = compareDocuments(
    expectedDocuments(sent, Date.parse(NOW)),
    await searchableDocuments(client, names),
  );
  expect(comparison).toMatchObject({ missing: [], extra: [], stale: [] });
}

const look = async (path: string): Promise<{ status: number; data: Record<string, any> }> => {
  const answer = await fetchUnlessBusy(`${service.base}${path}`, { headers: { authorization: `Bearer ${key}` } });
  return { status: answer.status, data: ((await answer.json()) as { data: Record<string, any> }).data };
};
let key = "";

beforeAll(async () => {
  key = await service.key();
});

describe("a merge", () => {
  test("changes what it carries and leaves the rest, before its record and after it", async () => {
    await ingest(
      [merging(3, "company", "co-a", { city: "Lyon", country: "FR" }), round(1, "rnd-a", "co-a", { amount_usd: null })],
      [company(2, "co-a", { city: "Paris", category: "biotech" })],
      [merging(2, "round", "rnd-a", { amount_usd: 5 })],
    );
    const { data } = await look("/companies/co-a");
    expect(data["company"]).toMatchObject({ city: "Lyon", country: "FR", category: "biotech" });
    expect(data["rounds"]).toMatchObject([{ id: "rnd-a", amount_usd: 5, company: { city: "Lyon" } }]);
    await expectDocuments();
  });

  test("is undone by a newer upsert, and by a newer delete", async () => {
    await ingest([company(1, "co-b"), round(1, "rnd-b", "co-b")]);
    await ingest([merging(3, "company", "co-b", { city: "Oslo" }), merging(2, "round", "rnd-b", { amount_usd: 7 })]);
    await ingest([company(4, "co-b"), deletion(3, "round", "rnd-b"), merging(5, "round", "rnd-b", { amount_usd: 8 })]);
    expect((await look("/companies/co-b")).data).toMatchObject({ company: { city: null }, rounds: [] });
    await expectDocuments();
  });

  test("moves a round to another company, where later writes find it", async () => {
    await ingest([company(1, "co-c1"), company(1, "co-c2"), round(1, "rnd-c", "co-c1")]);
    await ingest([merging(2, "round", "rnd-c", { company_id: "co-c2", investor_ids: ["inv-c"] })]);
    expect((await look("/companies/co-c1")).data["rounds"]).toEqual([]);
    await ingest([company(2, "co-c2", { name: "Renamed" })]);
    expect((await look("/funding/rnd-c")).data).toMatchObject({ company: { id: "co-c2", name: "Renamed" } });
    await ingest([investor(1, "inv-c", { name: "Late Capital" })]);
    expect((await look("/companies/co-c2")).data["rounds"]).toMatchObject([{ investors: [{ name: "Late Capital" }] }]);
    await ingest([round(3, "rnd-c", "co-c1")]);
    expect((await look("/companies/co-c2")).data["rounds"]).toEqual([]);
    expect((await look("/companies/co-c1")).data["rounds"]).toMatchObject([{ id: "rnd-c" }]);
    await expectDocuments();
  });

  test("makes a record when it carries all of it, alone or with others", async () => {
    await ingest([
      merging(1, "company", "co-d", { name: "Merged Ltd", city: "Cork" }),
      merging(1, "round", "rnd-d", { company_id: "co-d", announced_date: "2025-05-05" }),
    ]);
    expect((await look("/companies/merged-ltd")).data).toMatchObject({
      company: { id: "co-d", city: "Cork" },
      rounds: [],
    });
    await ingest([merging(2, "round", "rnd-d", { amount_usd: null })]);
    expect((await look("/funding/rnd-d")).data).toMatchObject({ amount_usd: null, deal_type: "undisclosed" });
    await expectDocuments();
  });

  test("of an investor is seen by look-ups, by its new slug and no longer by the old one", async () => {
    await ingest([
      investor(1, "inv-e", { name: "Echo" }),
      merging(2, "investor", "inv-e", { name: "Foxtrot", slug: "foxtrot" }),
      merging(1, "investor", "inv-e2", { name: "Golf" }),
    ]);
    expect((await look("/investors/foxtrot")).data).toMatchObject({ investor: { id: "inv-e", name: "Foxtrot" } });
    expect((await look("/investors/inv-e")).data).toMatchObject({ investor: { name: "Foxtrot" } });
    expect((await look("/investors/golf")).data).toMatchObject({ investor: { id: "inv-e2" } });
    expect((await look("/investors/echo")).status).toBe(404);
  });

  test("of a stack or a headcount is history, too", async () => {
    await ingest([
      company(1, "co-f", { observed_at: "2025-01-01", headcount: 100, tech_stack: ["Go"] }),
      merging(2, "company", "co-f", { headcount: 200, observed_at: "2025-05-01" }),
      merging(3, "company", "co-f", { tech_stack: ["Go", "PyTorch"], observed_at: "2025-05-01" }),
      merging(1, "company", "co-f", { headcount: 190, observed_at: "2025-05-01" }),
    ]);
    const { data } = await look("/companies/co-f");
    expect(data["signals"].map((each: { key: string }) => each.key)).toEqual(
      expect.arrayContaining(["headcount_growth", "ai_stack", "tech_adopted"]),
    );
    await expectDocuments();
  });
});

test("a company is exported with the stack and the headcount that count", async () => {
  await ingest([
    company(1, "co-g", { observed_at: "2025-06-01", headcount: 10, tech_stack: ["Rust"] }),
    company(2, "co-g", { observed_at: "2025-03-01", headcount: 20, tech_stack: ["COBOL"] }),
    merging(3, "company", "co-g", { observed_at: "2025-06-10", headcount: 30 }),
  ]);
  const { stdout } = await service.ops(["export", "--type", "company"]);
  const lines = stdout.split("\n").filter((line) => line.includes('"co-g"'));
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { version: 3, observed_at: "2025-06-01", tech_stack: ["Rust"], headcount: null },
    { op: "merge", version: 3, observed_at: "2025-06-10", headcount: 30 },
  ]);
});

describe("random writes", () => {
  const seed = Number(process.env["MERGES_SEED"] ?? Date.now() % 1e9);
  const random = createRandom(seed);
  const writes = randomWrites(random, 400);

  test(`give what their versions say, in any order, by several jobs at once (MERGES_SEED=${seed})`, async () => {
    const again = writes.filter(() => random.chance(0.2));
    const arriving = random.shuffled([...writes, ...again]);
    const groups: RecordWrite[][] = [];
    while (arriving.length > 0) groups.push(arriving.splice(0, 1 + random.below(30)));
    await ingest(...groups);
    await expectDocuments();
    expect(JSON.parse((await service.ops(["verify", "--json"])).stdout)).toMatchObject({ differing: 0 });
  });

  test("give the same when they are rebuilt", async () => {
    expect((await service.ops(["reindex", "--wait"])).code).toBe(0);
    await expectDocuments();
  });

  test("give the same when what has been replaced is removed", async () => {
    const merges = async () => (await client.count({ index: names.record("merge") })).count;
    const before = await merges();
    await purgeNow({ queues });
    await client.indices.refresh({ index: names.record("merge") });
    expect(await merges()).toBeLessThan(before);
    expect(JSON.parse((await service.ops(["verify", "--json"])).stdout)).toMatchObject({ differing: 0 });
    await expectDocuments();
  });

  test("can be exported and ingested elsewhere, and where they came from", async () => {
    const exportOf = async (of: typeof service) => (await of.ops(["export"])).stdout;
    const recordsOf = (text: string) =>
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as object);
    const exported = await exportOf(service);
    const records = recordsOf(exported);
    expect(records.filter((record) => "op" in record)).not.toEqual([]);
    const elsewhere = createService(engines, { now: NOW, env: { TRANCHE_PAUSES: PAUSES } });
    try {
      await elsewhere.startIndexer();
      const there = await elsewhere.ops(["ingest", "-", "--wait"], exported);
      expect(there.code).toBe(0);
      expect(recordsOf(await exportOf(elsewhere))).toEqual(records);
    } finally {
      await elsewhere.stop();
      await deleteNamespace(engines, elsewhere.namespace);
    }
    const ingestHere = async () =>
      (JSON.parse((await service.ops(["ingest", "-", "--wait", "--json"], exported)).stdout) as { existing: Existing })
        .existing;
    // Records of which an older observation was written last get the one that counts.
    expect(await ingestHere()).toMatchObject({ deleted: 0, kept: 0 });
    expect(await ingestHere()).toMatchObject({ replaced: 0, merged: 0, deleted: 0, kept: 0 });
    expect(recordsOf(await exportOf(service))).toEqual(records);
  });
});

describe("what is stored already", () => {
  const lines = (...records: object[]) => records.map((record) => JSON.stringify(record)).join("\n");
  const named = (id: string, fields: object = {}) => ({ type: "company", id, name: `Company ${id}`, ...fields });
  const ops = async (input: string, ...options: string[]) => {
    const ran = await service.ops(["ingest", "-", "--wait", "--json", ...options], input);
    expect(ran.code).toBe(0);
    return JSON.parse(ran.stdout) as { existing: Existing; enqueued: Record<string, number>; merges: number };
  };
  const NONE: Existing = { replaced: 0, merged: 0, deleted: 0, unchanged: 0, kept: 0, waiting: 0 };

  test("is counted by what an ingest does to it, each record once", async () => {
    const first = lines(named("co-x", { country: "DE" }), named("co-y"), named("co-z"), named("co-x", { city: "Ulm" }));
    expect((await ops(first)).existing).toEqual(NONE);
    const second = lines(
      named("co-x"),
      named("co-x", { country: "FR" }),
      named("co-y"),
      { type: "company", op: "merge", id: "co-z", city: "Rome" },
      { type: "company", op: "merge", id: "co-nobody", city: "Rome" },
      { type: "company", op: "delete", id: "co-y" },
      named("co-new"),
    );
    const summary = await ops(second);
    expect(summary.existing).toEqual({ ...NONE, replaced: 1, merged: 1, deleted: 1, waiting: 1 });
    expect(summary).toMatchObject({ merges: 2, enqueued: { company: 7 } });
    expect((await ops(lines(named("co-x", { country: "FR" })))).existing).toEqual({ ...NONE, unchanged: 1 });
    const told = await service.ops(["ingest", "-"], lines(named("co-x")));
    expect(told.stdout).toContain("1 existing record replaced");
    await queues.settled();
  });

  test("is left alone with --only-new", async () => {
    const input = lines(named("co-z"), named("co-z"), named("co-newer", { city: "Bern" }), named("co-newer"));
    const summary = await ops(input, "--only-new");
    expect(summary).toMatchObject({ existing: { ...NONE, kept: 1 }, enqueued: { company: 2 } });
    expect((await look("/companies/co-z")).data["company"]).toMatchObject({ city: "Rome" });
    expect((await look("/companies/co-newer")).data["company"]).toMatchObject({ city: null });
  });

  test("can be compared with records that are not written", async () => {
    const context = { dealTypes: readDealTypes(undefined), today: "2025-06-15" };
    const records = [named("co-z"), named("co-z"), named("co-never"), named("co-never"), named("co-newer")].map(
      (record) => (parseRecord(record, context) as { record: ParsedRecord }).record,
    );
    const comparison = createComparison({ client, names }, { remembersNew: true });
    await comparison.add(records);
    await comparison.add(records);
    const effects = { created: 1, replaced: 1, merged: 0, deleted: 0, unchanged: 1, waiting: 0 };
    expect(comparison.effects()).toEqual(effects);
  });
});

const CITIES = ["Bonn", "Rome", null];
const NAMES = ["Alpha", "Beta", "Gamma"];

/** Writes of a few records, each with a version of its own. */
function randomWrites(random: Random, count: number): RecordWrite[] {
  const id = (prefix: string, limit: number) => `${prefix}-${random.below(limit)}`;
  const some = (fields: Record<string, unknown>) => {
    const chosen = Object.entries(fields).filter(() => random.chance(0.4));
    return Object.fromEntries(chosen.length > 0 ? chosen : Object.entries(fields).slice(0, 1));
  };
  const fields = {
    company: () => ({
      city: random.pick(CITIES),
      name: random.pick(NAMES),
      slug: random.pick(NAMES),
      headcount: random.pick([null, 10, 90]),
      tech_stack: random.pick([null, [], ["Go"], ["PyTorch", "Rust"]]),
      observed_at: random.pick(["2025-01-01", "2025-04-01", "2025-06-01"]),
    }),
    investor: () => ({ name: random.pick(NAMES), slug: random.pick(NAMES), aliases: [random.pick(NAMES)] }),
    round: () => ({
      company_id: id("x-co", 5),
      announced_date: random.pick(["2025-03-03", "2025-05-05"]),
      amount_usd: random.pick([null, 1, 2.5]),
      deal_type: random.pick(["seed", "series_a", "Auction"]),
      investors: [{ investor_id: id("x-inv", 5), is_lead: random.chance(0.5) }],
    }),
    signal: () => ({ company_id: id("x-co", 5), detected_at: "2025-06-01", strength: random.pick([0.5, 1]) }),
  };
  const ids = { company: "x-co", investor: "x-inv", round: "x-rnd", signal: "x-sig" };
  const whole = {
    company: (version: number, of: string) => company(version, of, fields.company()),
    investor: (version: number, of: string) => investor(version, of, fields.investor()),
    round: (version: number, of: string) => round(version, of, id("x-co", 5), fields.round()),
    signal: (version: number, of: string) => signal(version, id("x-co", 5), "layoffs", { id: of, ...fields.signal() }),
  };
  return Array.from({ length: count }, (_, position) => {
    const version = position + 1;
    const type: RecordType = random.pick(["company", "investor", "round", "round", "signal"]);
    const of = id(ids[type], 8);
    if (random.chance(0.1)) return deletion(version, type, of);
    return random.chance(0.35) ? whole[type](version, of) : merging(version, type, of, some(fields[type]()));
  });
}

test("no job of this file failed, and no write became a dead letter", async () => {
  expect(await queues.failedJobs()).toEqual([]);
  expect(await queues.letters()).toEqual([]);
});
