import { QUEUES, REBUILD_JOB_OPTIONS } from "@tranche/shared/protocol/queue/queues";
import { cancelRebuild } from "@tranche/operations/rebuild/cancel";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { OWN_VERSIONS } from "@tranche/read-models/indices/versions";
import { createRebuildStore, type Rebuild } from "@tranche/shared/protocol/rebuild/state";
import { beforeAll, describe, expect, test } from "vitest";
import { pino } from "pino";
import type { RebuildParts } from "../apps/indexer/rebuild/parts.ts";
import { prune } from "../apps/indexer/rebuild/prune.ts";
import { runRebuild } from "../apps/indexer/rebuild/rebuild.ts";
import { retire } from "../apps/indexer/rebuild/retire.ts";
import { createSliceStore } from "../apps/indexer/rebuild/slice-store.ts";
import { createTargetVersions } from "../apps/indexer/write/target-versions.ts";
import type { OpsResult } from "./support/ops.ts";
import { withService } from "./support/with-service.ts";
import { company, round } from "./support/writes.ts";

const { service, queues, client, names } = withService({ now: "2025-06-15T12:00:00Z", start: ["indexer"] });

beforeAll(async () => {
  await queues.send([
    ...Array.from({ length: 50 }, (_, n) => company(1, `co-${n}`)),
    ...Array.from({ length: 200 }, (_, n) => round(1, `rnd-${n}`, `co-${n % 50}`)),
  ]);
  await queues.settled();
});

const shown = <T>(result: OpsResult) => JSON.parse(result.stdout) as T;
const liveNow = async () => (await readIndexRoles(client, names)).funding.live;
const verify = async (...options: string[]) => {
  const result = await service.ops(["verify", "--json", ...options]);
  return { code: result.code, ...shown<{ differing: number; repaired: number; differences: object[] }>(result) };
};

/** Makes the live indices wrong behind the indexer's back. */
async function spoil(): Promise<void> {
  const [funding, companies] = [names.role("funding", "live"), names.role("companies", "live")];
  await client.delete({ index: funding, id: "rnd-1" });
  await client.index({ index: funding, id: "ghost", document: { id: "ghost", listed: true } });
  await client.update({ index: companies, id: "co-1", doc: { slug: "wrong" } });
  await client.indices.refresh({ index: [funding, companies] });
}

describe("a rebuild", () => {
  test("makes new indices live and keeps the old ones for a rollback", async () => {
    const before = await liveNow();
    const result = await service.ops(["reindex", "--wait", "--json"]);
    const rebuild = shown<Rebuild>(result);
    expect([result.code, rebuild.state]).toEqual([0, "swapped"]);
    expect(await readIndexRoles(client, names)).toMatchObject({
      funding: { live: rebuild.indices.funding, previous: before },
    });
    expect(await verify()).toMatchObject({ code: 0, differing: 0 });
  });

  test("can be rolled back, with the writes since, and forward again", async () => {
    const before = await readIndexRoles(client, names);
    await queues.send([round(2, "rnd-2", "co-3", { amount_usd: 2 })]);
    await queues.settled();
    for (const live of [before.funding.previous, before.funding.live]) {
      const result = await service.ops(["rollback", "--json"]);
      expect([result.code, shown(result)]).toEqual([0, { live: expect.objectContaining({ funding: live }) }]);
      expect(await liveNow()).toBe(live);
      const rolledBack = live === before.funding.previous;
      expect(shown(await service.ops(["status", "--json"]))).toMatchObject({ rolled_back: rolledBack });
      const text = (await service.ops(["reindex", "status"])).stdout;
      if (rolledBack) expect(text).toContain("It was rolled back");
      else expect(text).not.toContain("rolled back");
      expect(await verify()).toMatchObject({ code: 0, differing: 0 });
    }
  });

  test("puts right what is wrong in the live index", async () => {
    await spoil();
    expect(await verify()).toMatchObject({ code: 1, differing: 3 });
    const result = await service.ops(["reindex", "--wait", "--json"]);
    expect([result.code, shown<Rebuild>(result).state]).toEqual([0, "swapped"]);
    expect(await verify()).toMatchObject({ code: 0, differing: 0 });
  });

  test("is refused while one runs, with that one's id; it can be cancelled, and then another may run", async () => {
    const live = await liveNow();
    const store = createRebuildStore(client, names);
    // Planned by a later version and not put into the queue, so that no indexer takes it.
    const { rebuild } = await store.plan({ ...OWN_VERSIONS, derivation: OWN_VERSIONS.derivation + 1 });
    const refused = await service.ops(["reindex", "--json"]);
    expect([refused.code, shown(refused)]).toMatchObject([1, { running: { id: rebuild.id } }]);
    expect(await cancelRebuild(client, names, store, "by a test")).toMatchObject({ outcome: "cancelled" });
    const again = await service.ops(["reindex", "cancel"]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("No rebuild is running")]);
    expect(await liveNow()).toBe(live);
    expect((await service.ops(["reindex", "--wait"])).code).toBe(0);
  });

  test("that was killed right after its swap is finished by another, and its indices are merged", async () => {
    const segments = async (): Promise<number> => {
      const found = await client.cat.segments({ index: names.role("funding", "live"), format: "json" });
      return found.length;
    };
    // Each of them is refreshed by itself.
    for (const version of [3, 4, 5]) {
      await queues.send([round(version, "rnd-3", "co-3", { amount_usd: version })]);
      await queues.settled();
    }
    expect(await segments()).toBeGreaterThan(1);
    await client.update({ index: names.control, id: "rebuild", doc: { state: "verifying" } });
    await queues.queue(QUEUES.rebuild).add("rebuild", undefined, REBUILD_JOB_OPTIONS);
    const { read } = createRebuildStore(client, names);
    await expect.poll(async () => (await read())!.rebuild.state).toBe("swapped");
    await expect.poll(segments).toBe(1);
    expect((await read())!.rebuild.indices.funding).toBe(await liveNow());
    expect(await verify()).toMatchObject({ code: 0, differing: 0 });
  });

  test("whose new indices are live is not marked as failed by a request that Elasticsearch refuses", async () => {
    const rebuilds = createRebuildStore(client, names);
    const log = pino({ level: "silent" });
    const refused = () => client.index({ index: names.control, id: "x".repeat(513), document: {} });
    const parts = {
      client,
      names,
      rebuilds,
      log,
      versions: createTargetVersions({ client, names, log }),
      // The first thing after the swap.
      announcer: { announceEverything: () => refused() },
    } as unknown as RebuildParts;
    await client.update({ index: names.control, id: "rebuild", doc: { state: "verifying" } });
    await expect(runRebuild(parts)).rejects.toMatchObject({ meta: { statusCode: 400 } });
    // An indexer may have finished it by now.
    expect((await rebuilds.read())!.rebuild.state).not.toBe("failed");
    await queues.queue(QUEUES.rebuild).add("rebuild", undefined, REBUILD_JOB_OPTIONS);
    await expect.poll(async () => (await rebuilds.read())!.rebuild.state).toBe("swapped");
    expect(await verify()).toMatchObject({ code: 0, differing: 0 });
  });

  test("whose copy fails again and again ends with the reason, and its indices lose their role", async () => {
    const rebuilds = createRebuildStore(client, names);
    const slices = createSliceStore(client, names);
    const { rebuild } = await rebuilds.plan(OWN_VERSIONS);
    await slices.plan("copy-companies", rebuild.id, async () => []);
    const slice = await slices.read("copy-companies", rebuild.id, 0, 0);
    await slices.save(slice, { failures: 5, reason: "a test spoilt it" });
    await queues.queue(QUEUES.rebuild).add("rebuild", undefined, REBUILD_JOB_OPTIONS);
    await expect
      .poll(async () => (await rebuilds.read())!.rebuild)
      .toMatchObject({ id: rebuild.id, state: "failed", reason: expect.stringContaining("a test spoilt it") });
    // Its role is removed after that is saved.
    await expect.poll(async () => (await readIndexRoles(client, names)).funding.building).toBeUndefined();
    expect((await service.ops(["reindex", "--wait"])).code).toBe(0);
  });

  test("leaves no index behind", async () => {
    const there = async () => {
      const found = await client.indices.get({
        index: [`${names.role("funding", "live")}-*`, `${names.role("companies", "live")}-*`],
      });
      return new Set(Object.keys(found));
    };
    const { funding, companies } = await readIndexRoles(client, names);
    const held = [funding, companies].flatMap(({ live, previous }) => [live, previous]);
    // A rebuild that failed says so before its indices are deleted.
    await expect.poll(there).toEqual(new Set(held));
  });
});

test("after a while the previous indices are deleted, and the rebuild can't be rolled back", async () => {
  const parts = { client, names, rebuilds: createRebuildStore(client, names), log: pino({ level: "silent" }) };
  const { live, previous } = (await readIndexRoles(client, names)).funding;
  const hour = 3_600_000;
  await retire(parts, { keptHours: 24, now: Date.now() + 23 * hour });
  await prune(parts);
  expect((await readIndexRoles(client, names)).funding).toEqual({ live, previous });
  await retire(parts, { keptHours: 24, now: Date.now() + 25 * hour });
  await prune(parts);
  expect((await readIndexRoles(client, names)).funding).toEqual({ live });
  expect(await client.indices.exists({ index: previous! })).toBe(false);
  const refused = await service.ops(["rollback"]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("no previous funding index")]);
  expect((await service.ops(["reindex", "status"])).stdout).toContain("no longer kept");
});

test("`ops verify --repair` repairs what is missing, extra and stale", async () => {
  await spoil();
  const found = await verify();
  expect(found).toMatchObject({ code: 1, differing: 3, repaired: 0 });
  expect(found.differences).toEqual(
    expect.arrayContaining([
      { model: "funding", id: "rnd-1", kind: "missing", fields: [] },
      { model: "funding", id: "ghost", kind: "extra", fields: [] },
      { model: "companies", id: "co-1", kind: "stale", fields: ["slug"] },
    ]),
  );
  expect(await verify("--repair")).toMatchObject({ code: 0, differing: 3, repaired: 3 });
  expect(await verify()).toMatchObject({ code: 0, differing: 0 });
});
