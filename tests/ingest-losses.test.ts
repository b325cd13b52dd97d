import { ensureIndices } from "@tranche/read-models/indices/creation";
import { QUEUES, UPKEEP_JOBS } from "@tranche/shared/protocol/queue/queues";
import { createIngestLosses } from "@tranche/shared/protocol/runs/ingest-losses";
import { createIngestRuns, type FileVersion } from "@tranche/shared/protocol/runs/ingest-runs";
import { lossReporter } from "@tranche/shared/protocol/runs/redis-loss";
import { createTicketClock, ticketKey } from "@tranche/shared/protocol/ticket/ticket-clock";
import { beforeAll, describe, expect, test } from "vitest";
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

describe("a Redis that another one replaced", () => {
  const upkeep = queues.queue(QUEUES.upkeep);
  const said: string[] = [];
  const clock = (writer?: string) => {
    const parts = { client, names, redis: queues.redis, namespace: service.namespace, upkeep };
    const events = lossReporter({ ...parts, tell: (line) => said.push(line), note: (line) => said.push(line) });
    const redisKey = ticketKey(service.namespace);
    const of = { redis: queues.redis, client, controlIndex: names.control, redisKey };
    return createTicketClock({ ...of, ...(writer === undefined ? {} : { writer }), ...events });
  };
  const replaced = (identity: string) =>
    client.update({ index: names.control, id: "redis-history", doc: { identity } });
  const jobs = async () => (await upkeep.getJobs(["waiting", "delayed"])).map(({ name }) => name);
  type History = { lost?: { above: number; last: number }[] };
  const lostNumbers = async () =>
    (await client.get<History>({ index: names.control, id: "redis-history" }))._source!.lost ?? [];
  const writer = clock("an indexer");

  test("is noticed by two processes at once, and its lost numbers are noted once while a writer has not ended", async () => {
    const before = await writer.take();
    await replaced("the former one");
    for (const ticket of await Promise.all([clock().take(), clock().take()])) expect(ticket).toBeGreaterThan(before);
    expect(said[0]).toContain("what its newest writes were about is published again");
    expect(await jobs()).toEqual([UPKEEP_JOBS.recover]);
    expect(await lostNumbers()).toEqual([expect.objectContaining({ above: before })]);
  });

  test("gets its clock raised by the next process when the first one died after it had noted the lost numbers", async () => {
    const [{ above, last }] = (await lostNumbers()) as [{ above: number; last: number }];
    await queues.redis.set(ticketKey(service.namespace), String(above));
    const next = clock();
    expect(await next.take()).toBeGreaterThan(last);
    expect(await lostNumbers()).toHaveLength(1);
    expect(next.isSettling()).toBe(true);
    await next.forgetLost(next.lostNumbers());
    expect([await lostNumbers(), next.isSettling()]).toEqual([[], false]);
  });

  test("is taken as it is when every writer has ended in order, also by who looks first and writes nothing", async () => {
    await upkeep.drain(true);
    await writer.take();
    await writer.end();
    said.length = 0;
    await replaced("one more");
    await clock().take();
    expect(said).toEqual(["Redis restarted with everything that it had acknowledged."]);
    expect(await jobs()).toEqual([]);
  });

  test("is not when it lacks the number of a writer's end", async () => {
    const next = clock("the next indexer");
    await next.take();
    await next.end();
    const last = Number(await queues.redis.get(ticketKey(service.namespace)));
    await queues.redis.set(ticketKey(service.namespace), String(last - 1));
    await replaced("one that went back");
    await clock().take();
    expect(said.join("\n")).toContain("Redis went back and lost its newest writes");
    expect((await jobs()).toSorted()).toEqual([UPKEEP_JOBS.recover, UPKEEP_JOBS.rederive]);
    expect(await lostNumbers()).toEqual([expect.objectContaining({ above: last - 1 })]);
  });
});
