import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import { JOB_FORMATS } from "@tranche/shared/protocol/queue/formats";
import { JOB_OPTIONS, type SliceJob } from "@tranche/shared/protocol/queue/queues";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import type { RecordType } from "@tranche/shared/domain/records/record";
import { retryForever, wholeAnswer } from "@tranche/shared/engines/search/retry-forever";
import type { Queue } from "bullmq";
import { boundsOf, drawnAtRandom, rangesOf } from "@tranche/shared/engines/search/id-ranges";
import { sliceCount } from "./slice-ranges.ts";
import { SliceMoved, type SlicePlan, type SliceStore } from "./slice-store.ts";
import type { SlicedWork } from "./sliced-work.ts";

/** Ids that are read to cut one slice off, and in all: the engine finds at most 10,000 documents in one search. */
const SAMPLES_PER_SLICE = 100;
const MOST_SAMPLES = 10_000;
/** How often it looks how far the slices are … */
const LOOK_EVERY_MS = 1000;
/** … and, by a question to Redis only, whether all their jobs have ended. */
const GLANCE_EVERY_MS = 50;
/** How often slices that are not done get a job again, in case theirs failed or Redis lost it. */
const ENQUEUE_EVERY_MS = 30_000;
/** A slice that fails so often at the same place will fail again. */
const TRIES = 5;
/** The slice has the reason of its last failure, so not every failed job is kept. */
const SLICE_JOB_OPTIONS = { ...JOB_OPTIONS, removeOnFail: { count: 100 } };

export type ShareOutParts = {
  client: Client;
  names: IndexNames;
  slices: SliceStore;
  /** The queue of the work's slices. */
  queue: Pick<Queue<SliceJob>, "addBulk" | "getJobCountByTypes">;
  /** Aborts when this process shuts down. */
  until: AbortSignal;
};

/** A slice failed again and again at the same place. */
export class SliceFailed extends Error {
  override name = "SliceFailed";
}

/** This process shuts down before all slices are done. Sharing the same run out again continues it. */
export class LeftToOthers extends Error {
  override name = "LeftToOthers";
  /** When another one may take it. */
  readonly afterMs: number;

  constructor(message: string, afterMs = 0) {
    super(message);
    this.afterMs = afterMs;
  }
}

/**
 * Has all indexers do a work, slice by slice, and waits until every slice is done; returns what they found. Calling it again with
 * the same run, after a kill, continues with the slices that are left. `onProgress` gets what the slices found so far, about once per
 * second; when it throws, no more slices are handed out. Throws SliceMoved when another run of the work has begun, SliceFailed when a
 * slice has failed `tries` times, and LeftToOthers when `until` aborts.
 */
export async function shareOut<Found>(
  parts: ShareOutParts,
  work: SlicedWork<Found>,
  { run, tries = TRIES }: { run: string; tries?: number },
  onProgress: (found: Found) => Promise<void>,
): Promise<Found> {
  const { slices } = parts;
  const plan = await slices.plan(work.name, run, () => findBounds(parts, work));
  const count = rangesOf(plan.bounds).length;
  let enqueuedAt = -Infinity;
  let awaitsJobs = false;
  for (;;) {
    if (parts.until.aborted) throw new LeftToOthers(`${work.name} ${run} is left to another indexer`);
    // In this order: slices that another run has replaced look as if they had not begun.
    const all = await slices.readAll<Found>(work.name, run, count);
    if ((await slices.latestPlan(work.name))?.run !== run) throw new SliceMoved(`another ${work.name} has begun`);
    const found = all.reduce((sum, slice) => (slice ? work.add(sum, slice.found) : sum), work.nothing);
    await onProgress(found);
    const left = all.flatMap((slice, n) => (slice?.done ? [] : [n]));
    if (left.length === 0) return found;
    const failing = all.find((slice) => !slice?.done && (slice?.failures ?? 0) >= tries);
    if (failing) throw new SliceFailed(`a part of ${work.name} failed ${failing.failures} times: ${failing.reason}`);
    if (performance.now() - enqueuedAt > ENQUEUE_EVERY_MS) {
      await enqueue(parts, work.name, plan, left);
      enqueuedAt = performance.now();
      awaitsJobs = true;
    }
    // Slices whose jobs have failed get others only after a while: then there is nothing to look for in between.
    if (awaitsJobs) awaitsJobs = !(await haveJobsEnded(parts));
    else await pause(LOOK_EVERY_MS, undefined, { signal: parts.until }).catch(() => {});
  }
}

/** A job for each of these slices that has none. */
async function enqueue({ queue }: ShareOutParts, work: string, { run }: SlicePlan, slices: number[]): Promise<void> {
  await queue.addBulk(
    slices.map((slice) => ({
      name: work,
      data: { format: JOB_FORMATS.copy, work, run, slice },
      opts: { ...SLICE_JOB_OPTIONS, deduplication: { id: `${work}-${run}-${slice}` } },
    })),
  );
}

/** Waits a second, or until no job is left or the process shuts down if that is sooner. Returns whether no job is left. */
async function haveJobsEnded({ queue, until }: ShareOutParts): Promise<boolean> {
  for (const end = performance.now() + LOOK_EVERY_MS; performance.now() < end && !until.aborted;) {
    await pause(GLANCE_EVERY_MS);
    if ((await queue.getJobCountByTypes("waiting", "active", "delayed", "prioritized")) === 0) return true;
  }
  return false;
}

/**
 * Where the slices of a work end, from a random sample of ids. One search, however many records there are; stored records need no field
 * for it, and a slice's records lie side by side, because the store is sorted by company.
 */
async function findBounds(parts: ShareOutParts, work: Pick<SlicedWork<never>, "type" | "pageSize">): Promise<string[]> {
  const index = parts.names.record(work.type);
  const { count } = await retryForever(async () => wholeAnswer(await parts.client.count({ index })));
  const slices = sliceCount(count, work.pageSize);
  return slices === 1 ? [] : boundsOf(await sampleIds(parts, work.type, slices * SAMPLES_PER_SLICE), slices);
}

async function sampleIds({ client, names }: ShareOutParts, type: RecordType, size: number): Promise<string[]> {
  const answer = await retryForever(async () =>
    wholeAnswer(
      await client.search({
        index: names.record(type),
        size: Math.min(size, MOST_SAMPLES),
        _source: false,
        query: drawnAtRandom({ match_all: {} }),
      }),
    ),
  );
  return answer.hits.hits.map((hit) => hit._id!);
}
