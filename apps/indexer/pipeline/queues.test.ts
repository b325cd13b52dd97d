import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { expect, test } from "vitest";
import { countTakeable, type IndexerQueues } from "./queues.ts";

/** Every queue with two jobs waiting, and as many active ones in other processes as the counts say. */
function queuesWith(active: Partial<Record<keyof IndexerQueues, number>>): IndexerQueues {
  const queues = Object.entries(QUEUES).map(([key, name]) => {
    const counts = { waiting: 2, active: active[key as keyof IndexerQueues] ?? 0 };
    return [key, { name, getJobCounts: async () => counts }] as const;
  });
  return Object.fromEntries(queues) as unknown as IndexerQueues;
}

test("what waits could be taken, unless another process does the one job that is done at a time", async () => {
  const counts = await countTakeable(queuesWith({ ingest: 3, verify: 1, rebuild: 1 }), ["deadLetters"]);
  expect(Object.fromEntries(counts)).toEqual({
    ingest: 2,
    derive: 2,
    fanout: 2,
    investors: 2,
    due: 2,
    upkeep: 2,
    rebuild: 2,
    copy: 2,
    verify: 0,
    explain: 2,
    webhooks: 2,
    "dead-letters": 0,
  });
});
