import { ensureIndices } from "@tranche/read-models/indices/creation";
import { QUEUES, UPKEEP_JOBS } from "@tranche/shared/queue/queues";
import { createIngestLosses } from "@tranche/shared/runs/ingest-losses";
import { createIngestRuns, type FileVersion } from "@tranche/shared/runs/ingest-runs";
import { lossReporter } from "@tranche/shared/runs/redis-loss";
import { createTicketClock, ticketKey } from "@tranche/shared/ticket/ticket-clock";
import { beforeAll, expect, test } from "vitest";
import { withService } from "./support/with-service.ts";

const { service, queues, client, names } = withService();
const runs = createIngestRuns(client, names);
const losses = createIngestLosses(client, names);
const FILE = "rounds.ndjson";
const version = (bytes: number): FileVersion => ({ file: FILE, bytes, modified: "2025-06-15T12:00:00.000Z" });

beforeAll(async () => {
  await ensureIndices(client, names, { shards: 1, replicas: 0 });
});

test("a loss is resolved by a later run of the same file, and not by another file of its name", async () => {
  const lost = await runs.begin([FILE], [version(100)]);
  await losses.name(lost, [{ file: FILE, lines: [3, 5] }], true);
  await losses.doneAgain(await runs.begin([FILE], [version(101)]));
  await losses.doneAgain(await runs.begin([FILE], []));
  expect(await losses.open()).toMatchObject([{ run: lost.id, lost: [{ file: FILE, lines: [3, 5] }] }]);
  await losses.doneAgain(await runs.begin([FILE, "more.ndjson"], [version(100)]));
  expect(await losses.open()).toEqual([]);
});

test("what standard input lost is resolved by hand only", async () => {
  const lost = await runs.begin(["-"], []);
  await losses.name(lost, [{ file: "-" }], true);
  await losses.doneAgain(await runs.begin(["-"], []));
  const open = await losses.open();
  expect(open).toMatchObject([{ run: lost.id }]);
  await losses.resolve(open, "an operator");
  expect(await losses.open()).toEqual([]);
});

test("a Redis that another one replaced is noticed by two processes at once, and everything is derived again once", async () => {
  const upkeep = queues.queue(QUEUES.upkeep);
  const said: string[] = [];
  const clock = () => {
    const parts = { client, names, redis: queues.redis, namespace: service.namespace, upkeep };
    const events = lossReporter({ ...parts, tell: (line) => said.push(line) });
    const redisKey = ticketKey(service.namespace);
    return createTicketClock({ redis: queues.redis, client, controlIndex: names.control, redisKey, ...events });
  };
  const before = await clock().take();
  await client.update({ index: names.control, id: "redis-history", doc: { identity: "the former one" } });
  for (const ticket of await Promise.all([clock().take(), clock().take()])) expect(ticket).toBeGreaterThan(before);
  expect(said[0]).toContain("nothing that was noted is missing, and every document is derived afresh");
  const jobs = await upkeep.getJobs(["waiting"]);
  expect(jobs.map(({ name, data }) => [name, data])).toEqual([[UPKEEP_JOBS.rederive, { again: true }]]);
});
