import type { SliceJob } from "@tranche/shared/protocol/queue/queues";
import { rangesOf } from "@tranche/shared/engines/search/id-ranges";
import { LeftToOthers } from "./share-out.ts";
import { SliceMoved, type SliceStore } from "./slice-store.ts";
import type { SlicedWork } from "./sliced-work.ts";

/** How often a slice's progress is saved, as a checkpoint. Saving waits behind bulks, so saving it for each page would hold up the pages. */
const SAVE_EVERY_MS = 1500;

export type SliceEnd = "done" | "not wanted" | "taken over" | "interrupted";

/**
 * Does a slice from where it was saved last to its end, as long as its run is wanted and `until` does not abort. What makes it fail is
 * saved with it, for those who wait for it.
 */
export async function runSlice<Found>(
  store: SliceStore,
  work: SlicedWork<Found>,
  { run, slice: n }: Pick<SliceJob, "run" | "slice">,
  until: AbortSignal,
): Promise<SliceEnd> {
  // At once: the engine is busy with other slices, and each question waits behind their writes.
  const [plan, pages, begun] = await Promise.all([
    store.latestPlan(work.name),
    work.open(run),
    store.read(work.name, run, n, work.nothing),
  ]);
  const range = plan?.run === run ? rangesOf(plan.bounds)[n] : undefined;
  if (!range || !pages) return "not wanted";
  if (begun.slice.done) return "done";
  let read = begun;
  let { cursor, found } = read.slice;
  let savedAt = performance.now();
  try {
    for await (const page of pages({ ...range, after: cursor ?? range.after })) {
      found = work.add(found, page.found);
      if (page.last === null) break;
      cursor = page.last;
      if (!until.aborted && performance.now() - savedAt < SAVE_EVERY_MS) continue;
      if (!(await work.open(run))) return "not wanted";
      read = await store.save(read, { cursor, found, failures: 0 });
      if (until.aborted) return "interrupted";
      savedAt = performance.now();
    }
    await store.save(read, { cursor, found, done: true });
    return "done";
  } catch (error) {
    if (error instanceof SliceMoved) return "taken over";
    if (error instanceof LeftToOthers) return "interrupted";
    const before = cursor === read.slice.cursor ? (read.slice.failures ?? 0) : 0;
    const reason = (error as Error).message;
    await store.save(read, { cursor, found, failures: before + 1, reason }).catch(() => {});
    throw error;
  }
}
