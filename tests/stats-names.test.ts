import { beforeAll, describe, expect, test } from "vitest";
import { undocumented } from "./support/documented.ts";
import { searchesMade } from "./support/searches.ts";
import { sized } from "./support/sized.ts";
import { withService } from "./support/with-service.ts";
import { fetchUnlessBusy } from "./support/unless-busy.ts";

const company = (id: string, name: string, city: string | null, category: string | null, country = "US") => ({
  type: "company",
  id,
  name,
  city,
  category,
  country,
  tech_stack: ["Node.js"],
});
const investor = (id: string, name: string) => ({ type: "investor", id, name });
const round = (id: string, company_id: string, announced_date: string, amount_usd: number | null, by: string[]) => ({
  type: "round",
  id,
  company_id,
  announced_date,
  deal_type: "series_a",
  amount_usd,
  investors: by.map((investor_id, n) => ({ investor_id, is_lead: n === 0 })),
});

const RECORDS = [
  company("c2", "Beta, Inc.", "são paulo", "games_video", "BR"),
  company("c1", "Acme", "São Paulo", "Games & Video", "BR"),
  company("c3", "Zoë's", "Zürich", null, "CH"),
  investor("i1", "Kleiner, Perkins"),
  investor("i2", "Accel"),
  round("r1", "c1", "2013-01-05", 1_000_000.1, ["i1", "i2"]),
  round("r2", "c1", "2013-03-05", 3_000_000.2, ["i2"]),
  round("r3", "c2", "2013-03-31", null, []),
  round("r4", "c3", "2012-11-30", 500_000_000, ["i1"]),
  { op: "merge", type: "investor", id: "i2", name: "Accel Partners" },
];

describe("statistics", () => {
  const { service } = withService({ now: "2013-04-01T00:00:00Z", start: ["indexer", "api"] });
  let key: string;
  beforeAll(async () => {
    await write(RECORDS);
    key = await service.key();
  });
  const write = async (records: readonly object[]) => {
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    const ingest = await service.ops(["ingest", "-", "--wait", "--json"], lines);
    expect(ingest.code, ingest.stdout + ingest.stderr).toBe(0);
  };

  const call = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetchUnlessBusy(`${service.base}${path}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    const text = await response.text();
    expect(undocumented(`/api/v1${path.split("?")[0]!}`, response, text)).toEqual([]);
    const body = (text === "" ? {} : JSON.parse(text)) as {
      data: { key: unknown; name: unknown; id: unknown; count: number; filters: unknown }[];
      error: {
        message: string;
        details: { parameter: string; code: string; suggestion?: string; allowed?: string[] }[];
      };
    };
    return { response, status: response.status, body };
  };
  const groups = async (path: string) => (await call(path)).body.data.map(({ key: of, name, id }) => [of, name, id]);

  test("name their groups as the vocabularies, the records and the company with the lowest id do", async () => {
    expect(await groups("/funding/stats?group_by=country&sort=key_asc")).toEqual([
      ["BR", "Brazil", null],
      ["CH", "Switzerland", null],
    ]);
    expect(await groups("/funding/stats?group_by=city&sort=key_asc")).toEqual([
      ["sao-paulo", "São Paulo", null],
      ["zurich", "Zürich", null],
    ]);
    expect(await groups("/funding/stats?group_by=category&sort=key_asc")).toEqual([
      ["games-video", "Games & Video", null],
      [null, null, null],
    ]);
    expect(await groups("/funding/stats?group_by=company&sort=key_asc")).toEqual([
      ["c1", "Acme", "c1"],
      ["c2", "Beta, Inc.", "c2"],
      ["c3", "Zoë's", "c3"],
    ]);
    expect(await groups("/funding/stats?group_by=investor&sort=key_asc")).toEqual([
      ["i1", "Kleiner, Perkins", "i1"],
      ["i2", "Accel Partners", "i2"],
      [null, null, null],
    ]);
    expect(await groups("/funding/stats?group_by=lead_investor,deal_type&sort=key_asc")).toEqual([
      [
        ["i1", "series_a"],
        ["Kleiner, Perkins", "Series A"],
        ["i1", null],
      ],
      [
        ["i2", "series_a"],
        ["Accel Partners", "Series A"],
        ["i2", null],
      ],
      [
        [null, "series_a"],
        [null, "Series A"],
        [null, null],
      ],
    ]);
    expect(await groups("/funding/stats?group_by=amount_band&sort=key_asc")).toEqual([
      ["1m_5m", "$1M to $5M", null],
      ["over_500m", "$500M or more", null],
      [null, null, null],
    ]);
    expect(await groups("/signals/stats?group_by=technology")).toEqual([["nodejs", "Node.js", null]]);
    expect(await groups("/signals/stats?group_by=signal&signal=just_raised")).toContainEqual([
      "just_raised",
      "Just raised",
      null,
    ]);
  });

  test("take dimensions one by one, too", async () => {
    expect(await groups("/funding/stats?group_by=country&group_by=year&sort=key_asc")).toEqual(
      await groups("/funding/stats?group_by=country,year&sort=key_asc"),
    );
  });

  test("of a time are in its order, with the quarters in between", async () => {
    const { body } = await call("/funding/stats?group_by=month");
    expect(body.data.map((group) => [group.key, group.count])).toEqual([
      ["2012-11", 1],
      ["2012-12", 0],
      ["2013-01", 1],
      ["2013-02", 0],
      ["2013-03", 2],
    ]);
    expect(await groups("/funding/stats?group_by=quarter&limit=1")).toEqual([["2012-Q4", "2012-Q4", null]]);
  });

  test("have an ETag, and answer 304 to callers that have them", async () => {
    const { response } = await call("/funding/stats?group_by=year");
    const again = await call("/funding/stats?group_by=year", { "if-none-match": response.headers.get("etag")! });
    expect(again.status).toBe(304);
  });

  test.each([
    ["group_by=country,city,year", "too_many_items"],
    ["group_by=country,country", "malformed_value"],
    ["group_by=countri", "unknown_value"],
    ["group_by=signal", "unknown_value"],
    ["limit=0", "out_of_range"],
    ["limit=1001", "out_of_range"],
    ["sort=amount_desc", "unknown_value"],
    ["offset=1", "unknown_parameter"],
    ["format=flat", "unknown_parameter"],
  ])("refuse %s", async (query, code) => {
    const { status, body } = await call(`/funding/stats?${query}`);
    const parameter = query.split("=")[0]!;
    expect([status, body.error.details]).toMatchObject([400, [{ parameter, code }]]);
    if (query === "group_by=countri") expect(body.error.details[0]).toMatchObject({ suggestion: "country" });
    if (code === "unknown_value") expect(body.error.details[0]!.allowed).toBeDefined();
  });

  // Half a minute: `apps/api/stats/summary.test.ts` has where the refusal begins.
  const inFull = test.runIf(sized(false, true));
  inFull(
    "of more than 100,000 groups are refused for the price of an answer, and refused again without a search until a change",
    async () => {
      const path = "/funding/stats?group_by=investor,lead_investor";
      const many = Array.from({ length: 330 }, (_, n) => `many-${n}`);
      // Each of its investors led it, so it is in 330 x 330 groups.
      const crowd = {
        ...round("crowd", "c3", "2013-02-01", null, []),
        investors: many.map((investor_id) => ({ investor_id, is_lead: true })),
      };
      await write([...many.map((id) => investor(id, `Investor ${id}`)), crowd]);
      const ask = async () => {
        const before = await searchesMade(service.apiMetrics);
        const { response, status, body } = await call(path);
        const left = Number(/"month";r=(\d+)/.exec(response.headers.get("ratelimit")!)![1]);
        return {
          status,
          code: body.error?.details[0]?.code,
          left,
          searches: (await searchesMade(service.apiMetrics)) - before,
        };
      };
      const refused = { status: 400, code: "too_many_groups" };
      const first = await ask();
      expect(first).toMatchObject(refused);
      expect(first.searches).toBeGreaterThan(5);
      for (let n = 1; n <= 3; n++) expect(await ask()).toEqual({ ...refused, left: first.left - n, searches: 0 });

      await write([round("r5", "c2", "2013-03-30", 1, ["i1"])]);
      const changed = await ask();
      expect(changed).toMatchObject({ ...refused, left: first.left - 4 });
      expect(changed.searches).toBeGreaterThan(5);
      await write([{ op: "delete", type: "round", id: "crowd" }]);
      expect(await ask()).toMatchObject({ status: 200, left: first.left - 5 });
    },
  );

  test("are JSON only", async () => {
    expect((await call("/funding/stats", { accept: "text/csv" })).status).toBe(406);
  });
});
