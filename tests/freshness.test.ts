import { beforeAll, expect, test } from "vitest";
import { undocumented } from "./support/documented.ts";
import { withService } from "./support/with-service.ts";

const { service } = withService({ now: "2025-06-15T12:00:00Z" });

let key: string;

beforeAll(async () => {
  await service.startApi();
  key = await service.key("scale");
});

type Freshness = {
  today: string;
  lists: Record<string, { count: number; changed_at: string | null; newest_announced_date?: string | null }>;
  delay_seconds: number | null;
};
async function freshness(): Promise<Freshness> {
  const response = await fetch(`${service.base}/freshness`, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.any(String)]);
  expect(undocumented("/api/v1/freshness", response, text)).toEqual([]);
  return JSON.parse(text) as Freshness;
}

const RECORDS = [
  { type: "company", id: "c1", name: "Acme" },
  { type: "company", id: "c2", name: "Bolt" },
  { type: "investor", id: "i1", name: "Fund" },
  {
    type: "round",
    id: "r1",
    company_id: "c1",
    announced_date: "2025-05-02",
    deal_type: "seed",
    amount_usd: 1,
    investors: [{ investor_id: "i1" }],
  },
];

test("the delay grows while nobody indexes what was accepted, and ends with it", async () => {
  const empty = { count: 0, changed_at: null };
  const nothing = { funding: { ...empty, newest_announced_date: null }, companies: empty, investors: empty };
  expect(await freshness()).toEqual({ today: "2025-06-15", lists: nothing, delay_seconds: 0 });

  const begun = Date.now();
  const lines = RECORDS.map((record) => JSON.stringify(record)).join("\n");
  expect((await service.ops(["ingest", "-"], lines)).code).toBe(0);
  await expect.poll(async () => (await freshness()).delay_seconds).toBeGreaterThan(0.5);
  const { delay_seconds, lists } = await freshness();
  expect(delay_seconds).toBeLessThanOrEqual((Date.now() - begun) / 1000 + 0.1);
  expect(lists).toEqual(nothing);

  await service.startIndexer();
  await expect.poll(async () => (await freshness()).delay_seconds).toBe(0);
  const after = await freshness();
  expect(after.lists).toMatchObject({
    funding: { count: 1, newest_announced_date: "2025-05-02" },
    companies: { count: 2 },
    investors: { count: 1 },
  });
  for (const { changed_at } of Object.values(after.lists)) {
    expect(Date.parse(changed_at!)).toBeGreaterThan(begun);
    expect(Date.parse(changed_at!)).toBeLessThan(Date.now() + 1000);
  }
});

test("it costs nothing of the month, and is made once a second", async () => {
  const all = await Promise.all(Array.from({ length: 8 }, freshness));
  expect(new Set(all.map((each) => JSON.stringify(each))).size).toBeLessThanOrEqual(2);
  const usage = await fetch(`${service.base}/usage`, { headers: { authorization: `Bearer ${key}` } });
  expect(await usage.json()).toMatchObject({ data: { month: { used: 0 } } });
});
