import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { beforeAll, expect, test } from "vitest";
import type { Service } from "./support/service.ts";
import { withService } from "./support/with-service.ts";

const { service, queues } = withService();
let indexer: Awaited<ReturnType<Service["startIndexer"]>>;

beforeAll(async () => {
  indexer = await service.startIndexer();
});

/** Names and data of jobs as somebody may put them into a queue, with what each of them fails for. */
const FOREIGN: Record<string, [name: string, data: unknown, reason: string][]> = {
  ingest: [
    ["records", {}, "records: expected a list"],
    ["records", null, "expected object"],
    ["records", "text", "expected object"],
    ["records", [], "expected object"],
    ["records", { records: 5 }, "records: expected a list"],
    ["records", { records: { length: 3 } }, "records: expected a list"],
  ],
  derive: [
    ["documents", {}, "rounds: expected a list"],
    ["documents", { rounds: "abc", companies: [] }, "rounds: expected a list"],
    ["documents", { rounds: [], companies: [5] }, "companies: 0"],
  ],
  upkeep: [["x", {}, "its name is none of maintain, purge, rederive"]],
  due: [["x", {}, "its name is none of due"]],
  rebuild: [["x", {}, "its name is none of rebuild"]],
  verify: [
    ["verify", {}, "repair: expected true or false"],
    ["x", { repair: true }, "its name is none of verify"],
  ],
};

test("jobs that Tranche did not write fail with a reason, and the indexer continues", async () => {
  const expected: [string, string][] = [];
  for (const [queue, jobs] of Object.entries(FOREIGN)) {
    for (const [name, data, reason] of jobs) {
      const { id } = await queues.queue(queue).add(name, data, { attempts: 3 });
      expected.push([`${queue}/${id}`, reason]);
    }
  }
  const failed = () => queues.failedJobs();
  await expect.poll(async () => (await failed()).length).toBeGreaterThanOrEqual(expected.length);
  const told = await failed();
  for (const [id, reason] of expected) {
    const line = told.find((each) => each.startsWith(`${id}: `));
    expect(line).toContain("Tranche did not write this job");
    expect(line).toContain(reason);
  }
  expect(indexer.exitCode).toBeNull();
});

test("records that can't be read become dead letters, and the good ones of the same job are stored", async () => {
  const good = {
    type: "investor",
    id: "inv-good",
    version: 1,
    updated_at: "2025-06-15T12:00:00.000Z",
    body: { name: "Good", slug: "good", aliases: [], country: null, kind: null },
  };
  const records = [null, 5, "text", [], {}, { type: "rabbit", id: "r" }, good];
  await queues.queue(QUEUES.ingest).add("records", { records });
  await queues.settled();
  expect(await queues.letters()).toHaveLength(records.length - 1);
  const stored = await service.ops(["export", "--type", "investor"]);
  expect(stored.stdout).toContain("inv-good");
});

test("jobs that can't even be parsed do not keep the others from being done", async () => {
  const good = { [QUEUES.ingest]: { records: [] }, [QUEUES.derive]: { rounds: [], companies: [] } };
  for (const [name, data] of Object.entries(good)) {
    const queue = queues.queue(name);
    await queue.pause();
    const jobs = [];
    for (let count = 0; count < 3; count++) jobs.push(await queue.add("x", data));
    const [before, broken, after] = jobs;
    await queues.redis.hset(`${queuePrefix(service.namespace)}:${name}:${broken!.id}`, "data", "{");
    await queue.resume();
    const states = () => Promise.all([before, after].map((job) => queue.getJobState(job!.id!)));
    await expect.poll(states).toEqual(["completed", "completed"]);
  }
  expect(indexer.exitCode).toBeNull();
});
