import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Fixture } from "../support/with-service.ts";
import { write } from "../support/writes.ts";
import { fetchUnlessBusy } from "../support/unless-busy.ts";

/** From the moment a record is enqueued. Far longer than it takes: benchmarks measure the time. */
const SHOWN_WITHIN_MS = 20_000;

type Shown = {
  signal_score: number;
  signals: {
    key: string;
    detected_at: string;
    expires_at: string | null;
    evidence: Record<string, unknown>;
    score: { strength: number; points: number };
  }[];
};

export function testSignals({ service, queues }: Fixture): void {
  let key: string;

  beforeAll(async () => {
    key = await service.key();
  });

  let version = 0;
  const send = (...records: Parameters<typeof write>[1][]) =>
    queues.send(records.map((record) => write(++version, record)));
  const ingest = async (...records: Parameters<typeof write>[1][]) => {
    await send(...records);
    await queues.settled();
  };
  const get = async (path: string): Promise<unknown> =>
    (await fetchUnlessBusy(`${service.base}${path}`, { headers: { authorization: `Bearer ${key}` } })).json();
  const company = async (id: string): Promise<Shown> => ((await get(`/companies/${id}`)) as { data: Shown }).data;
  const keysOf = (shown: Shown) => shown.signals.map((signal) => signal.key).toSorted();
  const found = async (query: string): Promise<string[]> => {
    const page = (await get(`/signals?${query}&limit=50`)) as { data: { company: { id: string } }[] };
    return page.data.map((row) => row.company.id).toSorted();
  };

  describe("when a company's last round changes", () => {
    const seed = {
      type: "round" as const,
      id: "a-1",
      company_id: "a",
      announced_date: "2025-02-01",
      deal_type: "seed",
      amount_usd: 4_000_000,
    };
    const seriesA = { ...seed, id: "a-2", announced_date: "2025-06-05", deal_type: "series_a", amount_usd: 7_000_000 };
    beforeAll(() => ingest({ type: "company", id: "a", name: "Atlas" }, seed, seriesA));

    test.each([
      ["as it is", seriesA, ["fast_follow_on", "funding_milestone", "just_raised", "stage_advanced"], 11_000_000],
      [
        "corrected in amount",
        { ...seriesA, amount_usd: 51_000_000 },
        ["fast_follow_on", "funding_milestone", "just_raised", "large_round", "stage_advanced"],
        55_000_000,
      ],
      [
        "moved to an earlier day",
        { ...seriesA, announced_date: "2025-02-20" },
        ["fast_follow_on", "funding_milestone", "stage_advanced"],
        11_000_000,
      ],
      [
        "moved before the round that it followed",
        { ...seriesA, announced_date: "2025-01-10" },
        ["fast_follow_on", "funding_milestone"],
        11_000_000,
      ],
      ["moved to tomorrow", { ...seriesA, announced_date: "2025-06-16" }, ["first_round"], 4_000_000],
      ["back again", seriesA, ["fast_follow_on", "funding_milestone", "just_raised", "stage_advanced"], 11_000_000],
      ["deleted", { type: "round" as const, op: "delete", id: "a-2" }, ["first_round"], 4_000_000],
    ])("its signals follow: %s", async (_, record, signals, total_raised_usd) => {
      await send(record);
      await vi.waitFor(
        async () => {
          const shown = await company("a");
          expect(keysOf(shown)).toEqual(signals);
          expect(shown).toMatchObject({ total_raised_usd });
          for (const signal of ["just_raised", "large_round", "first_round", "stage_advanced"]) {
            expect(await found(`signal=${signal}`)).toEqual(signals.includes(signal) ? ["a"] : []);
          }
        },
        { timeout: SHOWN_WITHIN_MS, interval: 50 },
      );
    });
  });

  test("bad signals are refused by line, with the field and the reason, and the good ones go in", async () => {
    const good = { type: "signal", company_id: "b", key: "hiring", detected_at: "2025-06-10" };
    const records = [
      { type: "company", id: "b", name: "Birch" },
      { ...good, strength: 1.5 },
      { ...good, strength: -0.1 },
      { ...good, expires_at: "2025-06-09" },
      { ...good, key: "hirring" },
      { ...good, key: "just_raised" },
      { ...good, detected_at: "2025-02-30" },
      good,
    ];
    const result = await service.ops(["ingest", "-"], records.map((record) => JSON.stringify(record)).join("\n"));
    expect(result.code).toBe(1);
    const refused = `${result.stdout}${result.stderr}`;
    expect(refused).toMatch(/\b2\b.*strength.*0 to 1/);
    expect(refused).toMatch(/\b3\b.*strength.*0 to 1/);
    expect(refused).toMatch(/\b4\b.*expires_at.*before detected_at/);
    expect(refused).toMatch(/\b5\b.*key.*did you mean 'hiring'/);
    expect(refused).toMatch(/\b6\b.*key.*just_raised/);
    expect(refused).toMatch(/\b7\b.*detected_at/);
    await queues.settled();
    expect(keysOf(await company("b"))).toEqual(["hiring"]);
  });

  test("a signal detected in the future is kept, and counts from its day on", async () => {
    await ingest(
      { type: "company", id: "c", name: "Cobalt" },
      { type: "signal", company_id: "c", key: "award", detected_at: "2025-06-16" },
      { type: "signal", company_id: "c", key: "partnership", detected_at: "2025-06-15T23:59:59Z" },
    );
    expect(keysOf(await company("c"))).toEqual(["partnership"]);
    expect(await found("signal=award")).toEqual([]);
    const exported = await service.ops(["export", "--type", "signal"]);
    expect(exported.stdout).toContain('"award"');
  });

  test("of several instances of a key the best counts, by weight, strength and age", async () => {
    const layoffs = { type: "signal" as const, company_id: "d", key: "layoffs" };
    await ingest(
      { type: "company", id: "d", name: "Delta" },
      { type: "signal", company_id: "d", key: "product_launch", detected_at: "2025-06-15", strength: 0.4 },
      { type: "signal", company_id: "d", key: "product_launch", detected_at: "2025-06-01", id: "d-best" },
      { type: "signal", company_id: "d", key: "product_launch", detected_at: "2025-03-01" },
      { ...layoffs, detected_at: "2025-06-15", strength: 0.1 },
      { ...layoffs, detected_at: "2025-05-01", expires_at: "2025-06-15" },
    );
    const { signals, signal_score } = await company("d");
    expect(signals.map(({ key: signal, detected_at, score }) => [signal, detected_at, score.strength])).toEqual([
      ["product_launch", "2025-06-01", 1],
      ["layoffs", "2025-06-15", 0.1],
    ]);
    expect(signals[0]!.evidence).toMatchObject({ signal_id: "d-best" });
    // 30 x 2^(-14/45) x (1 - 0.5 x 0.1)
    expect(signal_score).toBe(23);
    expect(signals.reduce((sum, { score }) => sum + score.points, 0)).toBeCloseTo(23);
  });

  test("a changed stack and a grown headcount are derived from snapshots, whatever order they come in", async () => {
    const seen = (id: string, observed_at: string, tech_stack: string[], headcount: number) => ({
      type: "company" as const,
      id,
      name: `Ember ${id}`,
      observed_at,
      tech_stack,
      headcount,
    });
    const history = (id: string) => [
      seen(id, "2024-11-01", ["Perl", "COBOL"], 40),
      seen(id, "2025-04-01", ["Perl", "COBOL", "Rust"], 42),
      seen(id, "2025-06-01", ["Perl", "Rust"], 60),
    ];
    const [first, second, third] = history("e-2");
    for (const record of [...history("e-1"), third!, first!, second!]) await ingest(record);
    // The last write of e-2 is not its newest observation: its own stack is that of April.
    for (const id of ["e-1", "e-2"]) {
      const { signals } = await company(id);
      expect(signals.map((signal) => [signal.key, signal.detected_at, signal.evidence])).toEqual([
        ["headcount_growth", "2025-06-01", { from: 40, to: 60, days: 212 }],
        ["tech_dropped", "2025-06-01", { technologies: ["COBOL"] }],
        ["tech_adopted", "2025-04-01", { technologies: ["Rust"] }],
      ]);
    }
  });
}
