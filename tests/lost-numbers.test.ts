import { setTimeout as pause } from "node:timers/promises";
import { QUEUES, UPKEEP_JOBS } from "@tranche/shared/protocol/queue/queues";
import { ticketKey } from "@tranche/shared/protocol/ticket/ticket-clock";
import { beforeAll, expect, test } from "vitest";
import { fetchUnlessBusy } from "./support/unless-busy.ts";
import { withService } from "./support/with-service.ts";
import { round } from "./support/writes.ts";

const { service, queues, client, names } = withService({ start: ["indexer", "api"], now: "2025-06-15T12:00:00Z" });
const clockKey = ticketKey(service.namespace);

type Page = { data: { change: string; id: string }[]; next: string; has_more: boolean };
let key: string;
beforeAll(async () => {
  key = await service.key("scale");
});

async function changesSince(position: string): Promise<{ ids: string[]; next: string }> {
  const url = `${service.base}/funding/changes?since=${position}&limit=50`;
  const response = await fetchUnlessBusy(url, { headers: { Authorization: `Bearer ${key}` } });
  const { data, next } = (await response.json()) as Page;
  expect(response.status).toBe(200);
  return { ids: data.map(({ id }) => id), next };
}
const write = async (...ids: string[]) => {
  await queues.send(ids.map((id) => round(1, id, "c1")));
  await queues.settled();
};
const lostNumbers = async () => {
  type History = { lost?: { above: number }[] };
  return (await client.get<History>({ index: names.control, id: "redis-history" }))._source!.lost ?? [];
};
/** Whether the derivation of everything waits for its time, or runs. */
const derivesEverything = async () => {
  const jobs = await queues.queue(QUEUES.upkeep).getJobs(["delayed", "waiting", "active"]);
  return jobs.some((job) => job?.name === UPKEEP_JOBS.rederive);
};

test("a Redis that lost its newest writes has what they were about published again, and nothing else", async () => {
  await write("r1", "r2");
  const before = Number(await queues.redis.get(clockKey));
  await write("r3");
  const { next } = await changesSince("start");
  expect((await changesSince(next)).ids).toEqual([]);

  // Whoever takes the next number finds the clock behind the one that it knows.
  await queues.redis.set(clockKey, String(before));
  await expect.poll(lostNumbers).not.toEqual([]);
  expect((await lostNumbers())[0]!.above).toBeLessThan(before + 1000);
  let position = next;
  const told: string[] = [];
  // Everything is derived as well, when nobody can write any more what Redis has lost: the same content is no change.
  await expect.poll(derivesEverything).toBe(true);
  for (; await derivesEverything(); await pause(500)) {
    const page = await changesSince(position);
    told.push(...page.ids);
    position = page.next;
  }
  await queues.settled();
  expect([...told, ...(await changesSince(position)).ids]).toEqual(["r3"]);
}, 90_000);
