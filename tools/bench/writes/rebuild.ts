import { setTimeout as pause } from "node:timers/promises";
import { OWN_VERSIONS } from "@tranche/read-models/indices/versions";
import { QUEUES, REBUILD_JOB_OPTIONS } from "@tranche/shared/protocol/queue/queues";
import { createRebuildStore, isRunning } from "@tranche/shared/protocol/rebuild/state";
import type { Indexer } from "../environment/indexer.ts";
import { usageOf } from "../environment/processes.ts";
import type { Environment } from "../environment/environment.ts";

const LOOK_EVERY_MS = 200;

/** The result of a rebuild, from the command to the swap. `peakMiB`: the most memory that the indexer had. */
type Rebuilt = { documents: number; seconds: number; peakMiB: number };

/**
 * Rebuilds everything as `ops reindex` does, and waits for the end of its job. That goes on after the swap: after the first rebuild of
 * freshly loaded data it shows every document in the feed, which takes longer than the rebuild.
 */
export async function rebuild({ client, names, log }: Environment, indexer: Indexer): Promise<Rebuilt> {
  const store = createRebuildStore(client, names);
  const start = performance.now();
  const { planned, rebuild: found } = await store.plan(OWN_VERSIONS);
  if (!planned) throw new Error(`The rebuild ${found.id} is running already`);
  await indexer.queue(QUEUES.rebuild).add("rebuild", undefined, REBUILD_JOB_OPTIONS);
  let [peakMiB, told] = [0, start];
  for (;;) {
    await pause(LOOK_EVERY_MS);
    peakMiB = Math.max(peakMiB, (await usageOf(indexer.process.pid)).memoryMiB);
    const current = (await store.read())!.rebuild;
    if (!isRunning(current)) {
      if (current.state !== "swapped") throw new Error(`The rebuild ended as ${current.state}: ${current.reason}`);
      const seconds = (performance.now() - start) / 1000;
      while ((await indexer.queue(QUEUES.rebuild).getActiveCount()) > 0) await pause(LOOK_EVERY_MS);
      return { documents: current.written, seconds, peakMiB };
    }
    if (performance.now() - told < 5000) continue;
    told = performance.now();
    log(`rebuilding: ${current.state}, ${current.written} of ${current.expected}`);
  }
}
