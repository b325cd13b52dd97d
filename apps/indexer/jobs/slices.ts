import { JOB_OPTIONS, type SliceJob } from "@tranche/shared/protocol/queue/queues";
import type { Job, Queue } from "bullmq";
import { runSlice, type SliceEnd } from "../rebuild/run-slice.ts";
import type { SliceStore } from "../rebuild/slice-store.ts";
import type { SlicedWork } from "../rebuild/sliced-work.ts";
import { assertNamed, sliceOf } from "./data.ts";

/** Does the slice that a job names, if it is one of these works. */
export async function doSlice(
  job: Job<SliceJob>,
  works: readonly SlicedWork<unknown>[],
  parts: { slices: SliceStore; queue: Pick<Queue<SliceJob>, "add">; until: AbortSignal },
): Promise<SliceEnd> {
  const data = sliceOf(job);
  const name = assertNamed(job, ...works.map((work) => work.name));
  const end = await runSlice(
    parts.slices,
    works.find((work) => work.name === name)!,
    data,
    parts.until,
  );
  if (end === "interrupted") {
    // Becomes a job when this one ends, so that another indexer continues at once.
    const deduplication = { id: `${name}-${data.run}-${data.slice}`, keepLastIfActive: true };
    await parts.queue.add(name, data, { ...JOB_OPTIONS, deduplication });
  }
  return end;
}
