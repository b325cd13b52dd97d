import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { beforeAll, expect, test } from "vitest";
import { withService } from "./support/with-service.ts";
import { company, investor, round } from "./support/writes.ts";

/** More than what is derived together with the investor itself. */
const ROUNDS = 1100;
const COMPANIES = 20;

const { service, queues, client, names } = withService({ now: "2025-06-15T12:00:00Z", start: ["indexer"] });
const WAIT_MS = 120_000;

beforeAll(async () => {
  await queues.send([
    investor(1, "inv-all"),
    ...Array.from({ length: COMPANIES }, (_, n) => company(1, `co-${n}`)),
    ...Array.from({ length: ROUNDS }, (_, n) =>
      round(1, `rnd-${n}`, `co-${n % COMPANIES}`, { investors: [{ investor_id: "inv-all", is_lead: true }] }),
    ),
  ]);
  await queues.investorsSettled(WAIT_MS);
}, WAIT_MS);

const rowOf = async (id: string) =>
  (await client.get<{ row: string }>({ index: names.role("funding", "live"), id }))._source!.row;
const namedIn = async (text: string) =>
  (await Promise.all(["rnd-0", "rnd-1099"].map(rowOf))).map((row) => row.includes(text));
const fanout = queues.queue(QUEUES.fanout);
const stored = (id: string, version: number) =>
  expect
    .poll(async () => (await client.get({ index: names.record("investor"), id }))._version, {
      timeout: WAIT_MS,
      interval: 100,
    })
    .toBe(version);
const ingested = () =>
  expect
    .poll(async () => queues.queue(QUEUES.ingest).getJobCountByTypes("waiting", "active"), { timeout: WAIT_MS })
    .toBe(0);

test(
  "an investor of many rounds holds up nothing, and each document is derived once",
  { timeout: WAIT_MS },
  async () => {
    await fanout.pause();
    for (const version of [2, 3]) {
      await queues.send([investor(version, "inv-all", { name: `Renamed ${version}` })]);
      await stored("inv-all", version);
      await ingested();
    }
    await queues.send([round(2, "rnd-7", "co-7", { amount_usd: 777 })]);
    await ingested();
    expect(await rowOf("rnd-7")).toContain("777");
    expect(await namedIn("Renamed")).toEqual([false, false]);

    await fanout.resume();
    await queues.investorsSettled(WAIT_MS);
    expect(await namedIn("Renamed 3")).toEqual([true, true]);
    const passes = (await fanout.getCompleted()).map((job) => job.returnvalue as unknown as number);
    expect(passes.reduce((sum, derived) => sum + derived, 0)).toBe(ROUNDS + COMPANIES);
  },
);

test("`ops ingest --wait` waits for all of them", { timeout: WAIT_MS }, async () => {
  const line = JSON.stringify({ type: "investor", id: "inv-all", name: "At Last" });
  const result = await service.ops(["ingest", "-", "--wait", "--json"], line);
  expect([result.code, result.stderr]).toEqual([0, expect.any(String)]);
  expect(await namedIn("At Last")).toEqual([true, true]);
  expect(JSON.parse((await service.ops(["verify", "--json"])).stdout)).toMatchObject({ differing: 0 });
});
