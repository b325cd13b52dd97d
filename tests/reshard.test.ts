import { setTimeout as pause } from "node:timers/promises";
import { QUEUES } from "@tranche/shared/queue/queues";
import type { ReshardedStore } from "@tranche/shared/search/resharding";
import { beforeAll, expect, test } from "vitest";
import { withService } from "./support/with-service.ts";
import { company, deletion, merging, round } from "./support/writes.ts";

const { service, queues, client, names } = withService({ now: "2025-06-15T12:00:00Z", start: ["api"] });
const COMPANIES = 6000;
const STORES = ["company", "investor", "round", "signal", "snapshot", "merge"] as const;
let indexer: Awaited<ReturnType<typeof service.startIndexer>>;

const id = (n: number) => `co-${String(n).padStart(4, "0")}`;

beforeAll(async () => {
  indexer = await service.startIndexer();
  await queues.send([
    ...Array.from({ length: COMPANIES }, (_, n) => company(1, id(n))),
    ...Array.from({ length: 500 }, (_, n) => round(1, `rnd-${n}`, id(n))),
    merging(2, "company", id(7), { name: "Merged" }),
    deletion(5, "company", id(5000)),
  ]);
  await queues.settled(60_000);
});

const reshard = async (...options: string[]) => {
  const { code, stdout, stderr } = await service.ops(["reshard", "--json", ...options]);
  const answer = JSON.parse(stdout) as { moved: ReshardedStore[]; error?: { message: string } };
  return { code, stderr, ...answer };
};
/** Shards of each store, by its name. */
async function layout(): Promise<Record<string, { shards: number; index: string; closed: boolean }>> {
  const stores = [...STORES.map(names.record), names.edges, names.stakes, names.accounts];
  const found = await client.indices.get({ index: stores });
  return Object.fromEntries(
    Object.entries(found).map(([index, { aliases = {}, settings }]) => {
      const store = stores.find((name) => name === index || name in aliases)!;
      const { number_of_shards, blocks } = settings!.index!;
      return [store, { index, shards: Number(number_of_shards), closed: blocks?.write !== undefined }];
    }),
  );
}
const indices = async () => Object.keys(await client.indices.getAlias({ index: `${service.namespace}-*` }));
const assertNothingLost = async () => {
  await queues.investorsSettled();
  expect(await queues.letters()).toEqual([]);
  const verified = await service.ops(["verify", "--json"]);
  expect(JSON.parse(verified.stdout)).toMatchObject({ differing: 0 });
};

test("a number of shards that is not possible is refused, and leaves every store open and as it was", async () => {
  expect((await service.ops(["reshard", "--shards", "0"])).code).toBe(2);
  const before = await layout();
  const refused = await reshard("--shards", "1024");
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.error!.message).toMatch(/^The resharding failed: .* can't have 1024 shards: .*maximum/);
  expect(await layout()).toEqual(before);
  await queues.send([company(2, id(0), { name: "Renamed" })]);
  await queues.settled();
});

test("stores are moved while records come in and after the indexer is killed in the middle, and nothing is lost", async () => {
  const before = await layout();
  const version = async () => (await client.get({ index: names.record("company"), id: id(5000) }))._version;
  const deleted = await version();
  const resharding = reshard("--shards", "3");
  const company_ = names.record("company");
  while (!(await indices()).some((index) => index.startsWith(`${company_}-2`))) await pause(5);
  indexer.kill("SIGKILL");

  let ended = false;
  let written = 0;
  const writing = (async () => {
    while (!ended) {
      await queues.send([company(10 + written, id(written % 100)), round(1, `new-${written}`, id(written % 100))]);
      written++;
      await pause(50);
    }
  })();
  // A search needs none of the stores, and a store is read while it is closed.
  const headers = { authorization: `Bearer ${await service.key()}` };
  expect((await fetch(`${service.base}/signals?limit=1`, { headers })).status).toBe(200);
  indexer = await service.startIndexer();
  const { code, moved } = await resharding;
  ended = true;
  await writing;

  expect(code).toBe(0);
  expect(moved.map(({ from, to }) => [from, to])).toEqual(moved.map(() => [1, 3]));
  // All but those that were moved before the kill.
  expect(moved.map(({ store }) => store)).toContain(company_);
  const after = await layout();
  for (const [store, { shards, closed, index }] of Object.entries(after)) {
    expect([store, shards, closed]).toEqual([store, store === names.accounts ? 1 : 3, false]);
    expect(index === before[store]!.index).toBe(store === names.accounts);
  }
  expect((await indices()).filter((index) => index.startsWith(`${company_}-`))).toHaveLength(1);

  await assertNothingLost();
  const { count } = await client.count({ index: names.record("round") });
  expect(count).toBe(500 + written);
  // Versions moved along: an older write still loses.
  expect(await version()).toBe(deleted);
  await queues.send([company(4, id(5000))]);
  await queues.settled();
  expect(await version()).toBe(deleted);
});

test("a resharding that Redis forgets in the middle is undone, and ops status says what is closed until then", async () => {
  const before = await layout();
  const resharding = reshard("--shards", "1");
  const closed = async () => Object.entries(await layout()).filter(([, store]) => store.closed);
  while ((await closed()).length === 0) await pause(5);
  indexer.kill("SIGKILL");
  await queues.queue(QUEUES.reshard).obliterate({ force: true });
  const [name, { index }] = (await closed())[0]!;
  const status = await service.ops(["status", "--json"]);
  expect(JSON.parse(status.stdout)).toMatchObject({ closed_indices: [{ index, why: "write" }] });
  expect((await service.ops(["status"])).stdout).toContain(`${index} takes no writes. If a resharding was interrupted`);
  expect((await resharding).error!.message).toMatch(/resharding/);

  indexer = await service.startIndexer();
  while ((await closed()).length > 0) await pause(100);
  const after = await layout();
  expect(after[name]).toEqual({ ...before[name], closed: false });
  expect(JSON.parse((await service.ops(["status", "--json"])).stdout)).toMatchObject({ closed_indices: [] });
  expect((await indices()).filter((each) => each.startsWith(`${name}-2`))).toEqual([index]);
  await queues.send([company(3, id(1), { name: "Written afterwards" })]);
  await queues.settled();
  await assertNothingLost();
});

test("a resharded store is resharded again, restarts find it, and a rebuild reads it", async () => {
  const { code, moved } = await reshard("--shards", "2");
  expect({ code, stores: moved.length }).toEqual({ code: 0, stores: 8 });
  expect(await reshard("--shards", "2")).toMatchObject({ code: 0, moved: [] });
  indexer.kill("SIGTERM");
  indexer = await service.startIndexer();
  expect((await service.ops(["reindex", "--wait", "--json"])).code).toBe(0);
  await assertNothingLost();
  expect(await queues.failedJobs()).toEqual([]);
});
