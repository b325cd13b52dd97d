import type { FundingDocument } from "@tranche/read-models/documents/funding";
import { rowOf } from "@tranche/read-models/documents/row-text";
import type { CompanyDocument, SignalsRow } from "@tranche/read-models/documents/companies";
import { type IngestJob, JOB_OPTIONS, QUEUES } from "@tranche/shared/protocol/queue/queues";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compareDocuments, expectedDocuments, searchableDocuments } from "./support/expected.ts";
import { withService } from "./support/with-service.ts";
import { company, deletion, investor, merging, round, signal } from "./support/writes.ts";

const NOW = "2025-06-15T12:00:00Z";

const { service, queues, client, names } = withService({ now: NOW, start: ["indexer"] });
/** All writes that were sent, refused ones too. */
const sent: RecordWrite[] = [];
let nth = 0;
/** An id that only the test at hand uses. */
const own = (id: string) => `${id}-${nth}`;

beforeEach(() => void nth++);
afterEach(async () => {
  expect(await queues.failedJobs()).toEqual([]);
});

/** Each group of writes is a job; the next is sent when it is done. */
async function ingest(...groups: RecordWrite[][]): Promise<void> {
  for (const group of groups) {
    sent.push(...group);
    await queues.send(group);
    await queues.settled();
  }
}

async function funding(): Promise<FundingDocument[]> {
  const found = await searchableDocuments(client, names);
  return [...found.funding.values()].filter((each) =>
    (each as FundingDocument).id.endsWith(`-${nth}`),
  ) as FundingDocument[];
}

async function signalsOf(companyId: string): Promise<CompanyDocument | undefined> {
  return (await searchableDocuments(client, names)).companies.get(companyId) as CompanyDocument | undefined;
}

/** The rounds that are listed, each with the fields that matter here. */
async function assertFunding(expected: Record<string, object>): Promise<void> {
  const listed = (await funding()).map((document) => [document.id, rowOf(document.row)] as const);
  expect(Object.fromEntries(listed)).toMatchObject(expected);
  expect(listed.map(([id]) => id).toSorted()).toEqual(Object.keys(expected).toSorted());
}

async function assertSignals(companyId: string, expected: Partial<SignalsRow>): Promise<void> {
  expect(rowOf((await signalsOf(companyId))!.row)).toMatchObject(expected);
}

describe("a record's way", () => {
  test("a round waits for its company", async () => {
    await ingest([round(1, own("rnd"), own("co"))]);
    await assertFunding({});
    await ingest([company(1, own("co"), { name: "Late GmbH" })]);
    await assertFunding({ [own("rnd")]: { company: { name: "Late GmbH" } } });
    await assertSignals(own("co"), { round_count: 1, total_raised_usd: 1_000_000 });
  });

  test("investors that are not known yet are left out until they arrive", async () => {
    const [first, second] = [own("inv-a"), own("inv-b")];
    const investors = [{ investor_id: first }, { investor_id: second, is_lead: true }];
    await ingest([
      company(1, own("co")),
      investor(1, first, { name: "Alpha" }),
      round(1, own("rnd"), own("co"), { investors }),
    ]);
    await assertFunding({ [own("rnd")]: { investors: [{ name: "Alpha" }], investor_count: 1 } });

    await ingest([investor(1, second, { name: "Beta" })]);
    await assertFunding({ [own("rnd")]: { investors: [{ name: "Beta", is_lead: true }, { name: "Alpha" }] } });
    await assertSignals(own("co"), { latest_funding: expect.objectContaining({ investors: ["Beta", "Alpha"] }) });
  });

  test("a new name of a company or an investor reaches all of their rounds", async () => {
    const rounds = Array.from({ length: 30 }, (_, n) =>
      round(1, own(`rnd-${n}`), own("co"), { investor_ids: [own("inv")] }),
    );
    await ingest([company(1, own("co")), investor(1, own("inv")), ...rounds]);
    await ingest([company(2, own("co"), { name: "New" })], [investor(2, own("inv"), { name: "Renamed" })]);
    const expected = { company: { name: "New" }, investors: [{ name: "Renamed" }] };
    await assertFunding(Object.fromEntries(rounds.map(({ id }) => [id, expected])));
  });

  test("a round that moves leaves the company it was in", async () => {
    await ingest([company(1, own("co-a")), company(1, own("co-b")), round(1, own("rnd"), own("co-a"))]);
    await assertSignals(own("co-a"), { round_count: 1 });
    await ingest([round(2, own("rnd"), own("co-b"))]);
    await assertFunding({ [own("rnd")]: { company: { id: own("co-b") } } });
    await assertSignals(own("co-a"), { round_count: 0, total_raised_usd: null, latest_funding: null });
    await assertSignals(own("co-b"), { round_count: 1 });
  });

  test("a deleted round is gone from the list and from its company", async () => {
    await ingest([company(1, own("co")), round(1, own("rnd"), own("co"))]);
    await ingest([deletion(2, "round", own("rnd"))]);
    await assertFunding({});
    await assertSignals(own("co"), { round_count: 0 });
  });

  test("a deleted company takes its rounds with it, and brings them back", async () => {
    await ingest([company(1, own("co")), round(1, own("rnd"), own("co"))]);
    await ingest([deletion(2, "company", own("co"))]);
    await assertFunding({});
    expect(await signalsOf(own("co"))).toBeUndefined();
    await ingest([company(3, own("co"), { name: "Back" })]);
    await assertFunding({ [own("rnd")]: { company: { name: "Back" } } });
  });

  test("a deleted investor is left out", async () => {
    await ingest([
      company(1, own("co")),
      investor(1, own("inv")),
      round(1, own("rnd"), own("co"), { investor_ids: [own("inv")] }),
    ]);
    await ingest([deletion(2, "investor", own("inv"))]);
    await assertFunding({ [own("rnd")]: { investors: [], investor_count: 0 } });
  });

  test("an older version that comes late changes nothing", async () => {
    await ingest([company(5, own("co"), { name: "Fifth" }), round(5, own("rnd"), own("co"), { amount_usd: 5 })]);
    await ingest([company(3, own("co"), { name: "Third" }), round(3, own("rnd"), own("co"), { amount_usd: 3 })]);
    await assertFunding({ [own("rnd")]: { amount_usd: 5, company: { name: "Fifth" } } });
    await ingest([deletion(7, "round", own("rnd"))], [round(6, own("rnd"), own("co"))]);
    await assertFunding({});
  });

  test("an older version that names another company touches neither", async () => {
    await ingest([company(1, own("co-a")), company(1, own("co-b"))], [round(2, own("rnd"), own("co-b"))]);
    await ingest([round(1, own("rnd"), own("co-a"))]);
    await assertSignals(own("co-a"), { round_count: 0 });
    await assertSignals(own("co-b"), { round_count: 1 });
  });

  test("a signal comes, moves to another company and goes", async () => {
    const award = (version: number, of: string) => signal(version, of, "award", { id: own("sig") });
    await ingest([company(1, own("co-a")), company(1, own("co-b")), award(1, own("co-a"))]);
    await assertSignals(own("co-a"), { signals: ["award"] });
    expect(await signalsOf(own("co-a"))).toMatchObject({ listed: true });
    await ingest([award(2, own("co-b"))]);
    await assertSignals(own("co-a"), { signals: [] });
    await assertSignals(own("co-b"), { signals: ["award"] });
    await ingest([deletion(3, "signal", own("sig"))]);
    await assertSignals(own("co-b"), { signals: [] });
    expect(await signalsOf(own("co-b"))).toMatchObject({ listed: false });
  });

  test("a signal is kept until its company comes", async () => {
    await ingest([signal(1, own("co"), "hiring")], [company(1, own("co"))]);
    await assertSignals(own("co"), { signals: ["hiring"] });
  });

  test("jobs that are done twice, in any order, change nothing", async () => {
    const first = [company(1, own("co")), round(1, own("rnd"), own("co")), investor(1, own("inv"))];
    const second = [round(2, own("rnd"), own("co"), { amount_usd: 2, investor_ids: [own("inv")] })];
    await ingest(first, second);
    const before = await funding();
    await ingest(second, first, first, second);
    expect(await funding()).toEqual(before);
    await assertFunding({ [own("rnd")]: { amount_usd: 2, investor_count: 1 } });
  });

  test("a company's later snapshot of its stack shows as adopted technology, whatever order they come in", async () => {
    const seen = (version: number, observed_at: string, tech_stack: string[]) =>
      company(version, own("co"), { observed_at, tech_stack });
    await ingest([seen(2, "2025-06-10", ["COBOL", "Rust"])], [seen(1, "2025-03-01", ["COBOL"])]);
    await assertSignals(own("co"), { tech_stack: ["COBOL", "Rust"], signals: ["tech_adopted"] });
  });

  test("the newest stack and headcount count, whatever arrives later; the rest is replaced", async () => {
    const seen = (version: number, observed_at: string, tech_stack: string[], headcount: number) =>
      company(version, own("co"), { name: `Version ${version}`, observed_at, tech_stack, headcount });
    await ingest(
      [seen(1, "2025-06-10", ["k8s", "Kubernetes"], 20)],
      [seen(2, "2025-03-01", ["COBOL"], 10)],
      [merging(3, "company", own("co"), { tech_stack: ["Perl"], observed_at: "2025-02-01" })],
    );
    await assertSignals(own("co"), {
      company: expect.objectContaining({ name: "Version 2" }),
      tech_stack: ["Kubernetes"],
      signals: ["headcount_growth", "tech_adopted", "tech_dropped"],
    });
    expect(await signalsOf(own("co"))).toMatchObject({ profile: { headcount: 20 }, tech_keys: ["kubernetes"] });
  });

  test("an upsert without a stack shows none, and drops nothing", async () => {
    const seen = { observed_at: "2025-06-01", tech_stack: ["COBOL"], headcount: 20 };
    await ingest([company(1, own("co"), seen)], [company(2, own("co"), { observed_at: "2025-06-01" })]);
    await assertSignals(own("co"), { tech_stack: [], signals: [] });
    expect(await signalsOf(own("co"))).toMatchObject({ profile: { headcount: null } });
    await ingest([merging(3, "company", own("co"), { tech_stack: ["Perl"], observed_at: "2025-05-01" })]);
    await assertSignals(own("co"), { tech_stack: ["COBOL"], signals: ["tech_adopted", "tech_dropped"] });
  });

  test("a company that was deleted and comes again begins without its earlier observations, in any order", async () => {
    const writes = () => ({
      before: company(1, own("co"), { observed_at: "2025-06-12", tech_stack: ["COBOL"], headcount: 90 }),
      between: deletion(2, "company", own("co")),
      after: company(3, own("co"), { observed_at: "2025-06-10", tech_stack: ["Rust"], headcount: 10 }),
    });
    for (const order of [["before", "between", "after", "before"] as const, ["after", "before", "between"] as const]) {
      nth++;
      await ingest(...order.map((which) => [writes()[which]]));
      await assertSignals(own("co"), { tech_stack: ["Rust"], signals: [] });
      expect(await signalsOf(own("co"))).toMatchObject({ profile: { headcount: 10 } });
    }
  });

  test("a bad record among good ones becomes one dead letter, and the good ones go in", async () => {
    const good = [company(1, own("co")), ...Array.from({ length: 20 }, (_, n) => round(1, own(`rnd-${n}`), own("co")))];
    const bad = { ...round(1, own("bad"), own("co")) } as { body: Record<string, unknown> } & RecordWrite;
    const broken = { ...bad, body: { ...bad.body, amount_usd: -5 } } as unknown as RecordWrite;
    const job = { records: [...good.slice(0, 10), broken, ...good.slice(10)] };
    sent.push(...good);
    // Done twice: still one letter.
    for (let n = 0; n < 2; n++) await queues.queue<IngestJob>(QUEUES.ingest).add("records", job, JOB_OPTIONS);
    await queues.settled();
    await assertFunding(Object.fromEntries(good.slice(1).map(({ id }) => [id, { company: { id: own("co") } }])));
    const letters = (await queues.letters()).filter(
      ({ what }) => what.kind === "write" && what.write.id === own("bad"),
    );
    expect(letters).toEqual([{ what: { kind: "write", write: broken }, reason: "amount_usd: must not be negative" }]);
  });

  test("each malformed entry of a job becomes a dead letter of its own", async () => {
    const good = company(1, own("co"));
    const [withoutVersion, tooLong] = [round(1, own("rnd"), own("co")), round(1, own("rnd"), own("co"))];
    const odd: unknown[] = [
      null,
      "text",
      { ...withoutVersion, version: undefined },
      { ...tooLong, id: "x".repeat(600) },
      { ...good, type: "dragon" },
      { ...good, body: [] },
      { type: "signal", id: "x".repeat(600), version: 1, updated_at: NOW, body: null },
    ];
    const before = (await queues.letters()).length;
    sent.push(good);
    await queues.send([...odd.slice(0, 3), good, ...odd.slice(3)] as RecordWrite[]);
    await queues.settled();
    await assertSignals(own("co"), { round_count: 0 });
    const letters = (await queues.letters()).slice(before);
    expect((await queues.letters()).length - before).toBe(odd.length);
    for (const { reason } of letters) expect(reason).not.toBe("");
  });

  test("many writes at once end as the newest versions say", async () => {
    const [companies, rounds] = [20, 60];
    const writes: RecordWrite[] = [];
    let seed = 7;
    const below = (limit: number) => (seed = (seed * 48_271) % 2_147_483_647) % limit;
    for (let version = 1; version <= 1500; version++) {
      const target = own(`co-${below(companies)}`);
      const id = own(`rnd-${below(rounds)}`);
      const kind = below(10);
      if (kind === 0) writes.push(deletion(version, "round", id));
      else if (kind === 1) writes.push(deletion(version, "company", target));
      else if (kind < 4)
        writes.push(company(version, target, { name: `Company v${version}`, headcount: below(3) * 50 || null }));
      else if (kind < 5) writes.push(investor(version, own(`inv-${below(5)}`), { name: `Investor v${version}` }));
      else writes.push(round(version, id, target, { amount_usd: version, investor_ids: [own(`inv-${below(5)}`)] }));
    }
    const shuffled = writes.map((each) => [below(1_000_000), each] as const).toSorted((a, b) => a[0] - b[0]);
    sent.push(...writes);
    await queues.send(
      shuffled.map(([, each]) => each),
      25,
    );
    await queues.settled();
    expect((await funding()).length).toBeGreaterThan(10);
  });
});

test("every document is what the newest records say, as readers find it and as `ops verify` finds it", async () => {
  await queues.investorsSettled();
  const expected = expectedDocuments(sent, Date.parse(NOW));
  expect(compareDocuments(expected, await searchableDocuments(client, names))).toMatchObject({
    missing: [],
    extra: [],
    stale: [],
  });
  const verified = await service.ops(["verify", "--json"]);
  expect(JSON.parse(verified.stdout)).toMatchObject({ differing: 0 });
  expect(verified.code).toBe(0);
});
