import { setTimeout as pause } from "node:timers/promises";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import type { Indexer } from "../environment/indexer.ts";

export const RECORDS_A_SECOND = 200;
const JOBS_A_SECOND = 10;

/** Enqueues at a fixed rate, in small jobs, whatever the indexer does. */
export async function writeSteadily(
  indexer: Indexer,
  writes: Generator<RecordWrite, never>,
  wanted: () => boolean,
): Promise<void> {
  const start = performance.now();
  for (let jobs = 0; wanted(); jobs++) {
    await pause(Math.max(0, start + (jobs * 1000) / JOBS_A_SECOND - performance.now()));
    await write(
      indexer,
      Array.from({ length: RECORDS_A_SECOND / JOBS_A_SECOND }, () => writes.next().value),
    );
  }
}

export async function write(indexer: Indexer, writes: Iterable<RecordWrite>): Promise<void> {
  const enqueuer = indexer.enqueuer();
  for (const each of writes) await enqueuer.add(each);
  await enqueuer.flush();
}
