import { OWN_VERSIONS } from "@tranche/read-models/indices/versions";
import { giveUp } from "@tranche/shared/protocol/rebuild/give-up";
import { moveRoles, readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { createRebuildStore, type Rebuild } from "@tranche/shared/protocol/rebuild/state";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { pino } from "pino";
import { beforeAll, expect, test } from "vitest";
import { whileTarget } from "../../apps/indexer/write/while-target.ts";
import { withService } from "../support/with-service.ts";
import { company, round } from "../support/writes.ts";

const { service, queues, client, names } = withService({ now: "2025-06-15T12:00:00Z", start: ["indexer"] });
const parts = { client, names, log: pino({ level: "silent" }) };
const NOWHERE = { "index.routing.allocation.require._name": "a-node-that-does-not-exist" };

beforeAll(async () => {
  await queues.send([company(1, "co-1"), round(1, "rnd-1", "co-1")]);
  await queues.settled();
  expect((await service.ops(["reindex", "--wait"])).code).toBe(0);
});

/** Of a rebuild that these tests plan: an indexer leaves it alone, also when maintenance comes across it. */
const LATER_VERSIONS = { ...OWN_VERSIONS, derivation: OWN_VERSIONS.derivation + 1 };

/** Creates an index whose primary shard is away, as after the loss of a node. */
async function createLost(index: string): Promise<void> {
  const aliases = { [names.ownAlias(index)]: {} };
  const settings = { number_of_replicas: 0, ...NOWHERE };
  await client.indices.create({ index, aliases, settings, wait_for_active_shards: 0 });
}

const amount = async (id: string): Promise<unknown> =>
  (await client.get<{ amount_usd: number }>({ index: names.role("funding", "live"), id }))._source?.amount_usd;
const verified = async () => JSON.parse((await service.ops(["verify", "--json"])).stdout) as { differing: number };

test("a previous index without its shard does not hold up the live one, and is no longer offered for a rollback", async () => {
  const { funding } = await readIndexRoles(client, names);
  const lost = names.generation("funding", new Date());
  await queues.withoutUpkeep(async () => {
    await createLost(lost);
    expect(
      await moveRoles(client, names, [{ model: "funding", role: "previous", from: funding.previous, to: lost }]),
    ).toBe(true);
  });
  await queues.send([round(2, "rnd-1", "co-1", { amount_usd: 22 })]);
  await queues.settled(120_000);
  expect(await amount("rnd-1")).toBe(22);
  expect(await queues.letters()).toEqual([]);
  const roles = await readIndexRoles(client, names);
  for (const model of READ_MODELS) expect(roles[model]).toEqual({ live: expect.any(String) });
  const why = `a primary shard of ${lost} was away`;
  expect(JSON.parse((await service.ops(["status", "--json"])).stdout)).toMatchObject({
    lost_rollback: { reason: expect.stringContaining(why), indices: expect.arrayContaining([lost]) },
  });
  for (const command of [["status"], ["reindex", "status"]]) {
    expect((await service.ops(command)).stdout).toContain("A rollback is no longer possible");
  }
  const refused = await service.ops(["rollback"]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(why)]);
}, 180_000);

test("a building index without its shard fails the rebuild with the reason, and another one can be made", async () => {
  const rebuilds = createRebuildStore(client, names);
  const { rebuild } = await rebuilds.plan(LATER_VERSIONS);
  for (const model of READ_MODELS) await createLost(rebuild.indices[model]);
  const building = READ_MODELS.map((model) => ({ model, role: "building" as const, to: rebuild.indices[model] }));
  expect(await moveRoles(client, names, building)).toBe(true);
  const stuck = new Promise<never>(() => {});
  const timeouts = { watchAfterMs: 100, awayMs: 1000 };
  expect(await whileTarget(parts, [rebuild.indices.companies], () => stuck, timeouts)).toBeUndefined();
  const ended = (await rebuilds.read())!.rebuild;
  expect([ended.state, ended.reason]).toEqual(["failed", expect.stringContaining(rebuild.indices.companies)]);
  expect((await readIndexRoles(client, names)).companies.building).toBeUndefined();
  // A process that read the roles before can no longer give it one.
  expect(await moveRoles(client, names, building)).toBe(false);
  const next = JSON.parse((await service.ops(["reindex", "--wait", "--json"])).stdout) as Rebuild;
  expect(next.state).toBe("swapped");
  expect(await verified()).toMatchObject({ differing: 0 });
});

test("a live index is never given up, and one without a role is gone already", async () => {
  const { live } = (await readIndexRoles(client, names)).funding;
  expect(await giveUp(parts, live!, "a test")).toBe(false);
  expect(await giveUp(parts, `${live!}-other`, "a test")).toBe(true);
  expect((await readIndexRoles(client, names)).funding.live).toBe(live);
});

test("work at an index that is there ends with its result, however long it takes", async () => {
  const { live, previous } = (await readIndexRoles(client, names)).funding;
  const slow = () => new Promise<string>((resolve) => setTimeout(resolve, 2500, "done"));
  expect(await whileTarget(parts, [live!, previous!], slow, { watchAfterMs: 100, awayMs: 500 })).toBe("done");
  expect((await readIndexRoles(client, names)).funding.previous).toBe(previous);
});

/** Keeps an index closed as a full disk does, while `work` runs: Elasticsearch opens it whenever it looks at the disks. */
async function whileClosed<T>(index: string, work: () => Promise<T>): Promise<T> {
  const close = (closed: true | null) =>
    client.indices.putSettings({ index, settings: { "blocks.read_only_allow_delete": closed } });
  await close(true);
  let ended = false;
  const keeping = (async () => {
    while (!ended) await close(true);
  })();
  try {
    return await work();
  } finally {
    ended = true;
    await keeping;
    await close(null);
  }
}

test("a command says which index a full disk has closed and what to do, and continues when it is open", async () => {
  const cancel = async () => {
    await createRebuildStore(client, names).plan(LATER_VERSIONS);
    return whileClosed(names.control, async () => {
      const told = Promise.withResolvers<void>();
      const cancelling = service.ops(["reindex", "cancel"], "", (printed) => {
        if (printed.includes("Waiting …")) told.resolve();
      });
      await Promise.race([told.promise, cancelling]);
      return { cancelling };
    });
  };
  let cancelled = await (await cancel()).cancelling;
  // A quick command may have written in the moment between Elasticsearch's opening and the next closing.
  while (cancelled.stderr === "") cancelled = await (await cancel()).cancelling;
  const text = `${names.control} takes no writes: Elasticsearch blocks them, because a disk is nearly full.`;
  expect(cancelled.stderr.split(text)).toHaveLength(2);
  expect(cancelled.stderr).toContain("delete its new indices: `ops reindex status --json` names them. Waiting …");
  expect([cancelled.code, cancelled.stdout]).toEqual([0, expect.stringContaining("cancelled")]);
});

test("a rebuild whose new indices a full disk has closed is cancelled, and they lose their role", async () => {
  const { rebuild } = await createRebuildStore(client, names).plan(LATER_VERSIONS);
  const building = READ_MODELS.map((model) => ({ model, role: "building" as const, to: rebuild.indices[model] }));
  for (const { to } of building) {
    await client.indices.create({ index: to, aliases: { [names.ownAlias(to)]: {} } });
  }
  expect(await moveRoles(client, names, building)).toBe(true);
  for (const { to } of building) {
    await client.indices.putSettings({ index: to, settings: { "blocks.read_only_allow_delete": true } });
  }
  const cancelled = await service.ops(["reindex", "cancel"]);
  expect([cancelled.code, cancelled.stdout]).toEqual([0, expect.stringContaining("cancelled")]);
  for (const model of READ_MODELS) expect((await readIndexRoles(client, names))[model].building).toBeUndefined();
  const areGone = async () => !(await client.indices.exists({ index: Object.values(rebuild.indices) }));
  await expect.poll(areGone, { timeout: 30_000 }).toBe(true);
});

test("a command that does not wait fails with the same reason", async () => {
  const create = () => service.ops(["accounts", "create", "--name", "Acme", "--plan", "scale"]);
  const refused = await whileClosed(names.accounts, create);
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toContain(`error: ${names.accounts} takes no writes: Elasticsearch blocks them`);
});

test("a previous index that a full disk has closed is neither gone back to nor waited for", async () => {
  const { previous } = (await readIndexRoles(client, names)).companies;
  await client.indices.putSettings({ index: previous!, settings: { "blocks.read_only_allow_delete": true } });
  const refused = await service.ops(["rollback"]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`${previous!} would be live then`)]);
  const stuck = new Promise<never>(() => {});
  expect(await whileTarget(parts, [previous!], () => stuck, { watchAfterMs: 100, awayMs: 1000 })).toBeUndefined();
  for (const model of READ_MODELS) expect((await readIndexRoles(client, names))[model].previous).toBeUndefined();
});
