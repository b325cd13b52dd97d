import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { JOB_OPTIONS, QUEUES, UPKEEP_JOBS } from "@tranche/shared/protocol/queue/queues";
import { Job } from "bullmq";
import { beforeAll, expect, test } from "vitest";
import { withService } from "../support/with-service.ts";
import { company, round } from "../support/writes.ts";

let printed = "";
const { service, queues, client, names } = withService({
  now: "2025-06-15T12:00:00Z",
  onOutput: (text) => (printed += text),
});
const COMPANIES = 3500;
let first: ChildProcess;
let second: ChildProcess;

type Found = { differing: number; repaired: number; compared: number; differences: { id: string; kind: string }[] };
type SliceDocument = { done?: boolean; cursor?: string | null };

const id = (n: number) => `co-${String(n).padStart(4, "0")}`;

beforeAll(async () => {
  first = await service.startIndexer();
  second = await service.startIndexer();
  await queues.send([
    ...Array.from({ length: COMPANIES }, (_, n) => company(1, id(n))),
    ...Array.from({ length: 500 }, (_, n) => round(1, `rnd-${n}`, id(n))),
  ]);
  await queues.settled();
});

const verify = async (...options: string[]) => {
  const result = await service.ops(["verify", "--json", ...options]);
  return { code: result.code, ...(JSON.parse(result.stdout) as Found) };
};

/** One wrong company in every slice, and companies without a record below, between and above all others. */
async function spoil(): Promise<{ stale: string[]; extra: string[] }> {
  const index = names.role("companies", "live");
  const stale = [0, 999, 1000, 1700, 2600, COMPANIES - 1].map(id);
  const extra = ["a-ghost", `${id(1200)}-ghost`, `${id(COMPANIES - 1)}-ghost`, "z-ghost"];
  for (const each of stale) await client.update({ index, id: each, doc: { slug: "wrong" } });
  for (const each of extra) {
    await client.index({ index, id: each, document: { company_id: each, listed: true } });
  }
  await client.indices.refresh({ index });
  return { stale, extra };
}

const slices = async (name: string): Promise<SliceDocument[]> => {
  const ids = Array.from({ length: 10 }, (_, n) => `slices-${name}-${n}`);
  const { docs } = await client.mget<SliceDocument>({ index: names.control, ids });
  return docs.flatMap((found) => ("_source" in found && found._source ? [found._source] : []));
};

test("a verification in slices finds what is wrong at the edges of slices, between them and without a record, each once", async () => {
  const { stale, extra } = await spoil();
  const found = await verify();
  expect(found).toMatchObject({ code: 1, compared: COMPANIES + 500, differing: stale.length + extra.length });
  expect(found.differences.map(({ kind, id: of }) => `${kind} ${of}`).toSorted()).toEqual(
    [...extra.map((each) => `extra ${each}`), ...stale.map((each) => `stale ${each}`)].toSorted(),
  );
  expect((await slices("verify-companies")).length).toBeGreaterThan(1);
});

const begun = async () => {
  while ((await queues.redis.llen(`{${service.namespace}}:copy:active`)) < 2) await pause(50);
};

test("a repair continues when an indexer is killed in the middle of it", async () => {
  // Each slice waits some seconds for its differences to go away by themselves.
  const repairing = verify("--repair");
  await begun();
  first.kill("SIGKILL");
  expect(await repairing).toMatchObject({ code: 0, compared: COMPANIES + 500, differing: 10, repaired: 10 });
  const repaired = await slices("repair-companies");
  expect(repaired.length).toBeGreaterThan(1);
  expect(repaired.every(({ done }) => done)).toBe(true);
  expect(await verify()).toMatchObject({ code: 0, differing: 0 });
});

test("a derivation of everything reaches each document once", async () => {
  const { extra } = await spoil();
  const job = await queues.queue(QUEUES.upkeep).add(UPKEEP_JOBS.rederive, { again: true }, JOB_OPTIONS);
  while (!(await job.isCompleted())) await pause(50);
  expect((await Job.fromId(queues.queue(QUEUES.upkeep), job.id!))!.returnvalue).toBe(COMPANIES + 500);
  await queues.settled();
  const enqueued = (await slices("rederive-again-companies")) as (SliceDocument & { found: number })[];
  expect(enqueued.reduce((sum, slice) => sum + slice.found, 0)).toBe(COMPANIES);
  // Documents without a record are not derived.
  const left = await verify("--repair");
  expect(left.differences.map((each) => each.id).toSorted()).toEqual(extra.toSorted());
});

test("the last indexer shuts down during a verification, and the next one continues it", async () => {
  await spoil();
  const verifying = verify();
  await begun();
  printed = "";
  const ended = once(second, "exit");
  second.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(printed).not.toContain("did not end in time");
  await service.startIndexer();
  expect(await verifying).toMatchObject({ code: 1, compared: COMPANIES + 500, differing: 10 });
});
