import type { Readable } from "node:stream";
import { createEnqueuer } from "@tranche/shared/protocol/queue/enqueue";
import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import { type DeadLetter, type DeriveJob, type IngestJob, QUEUES } from "@tranche/shared/protocol/queue/queues";
import { replicaWait } from "@tranche/operations/queues/replicas";
import { dayOfTime, isoDay } from "@tranche/shared/domain/time/day";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import type { Queue } from "bullmq";
import type { Engines } from "../context/connect.ts";
import { counted } from "../terminal/numbers.ts";
import type { Progress } from "../terminal/progress.ts";
import { watchForStall } from "../jobs/stall.ts";
import { existingOf } from "./existing.ts";
import { createFileProgress, type Unfinished, unfinishedText } from "./file-progress.ts";
import { readFiles, type ReadRequest } from "./read.ts";
import type { Refusals } from "./refusals.ts";
import { createComparison } from "./comparison.ts";
import { createIngestCounter } from "./counter.ts";
import type { IngestSummary } from "./summary.ts";
import { deadLetterIds, deadLettersSince, waitUntilSearchable } from "./wait.ts";
import { createWriter, type Waiting } from "./write.ts";
import { beginRun, type OwnRun } from "./run-of-jobs.ts";

export type IngestRequest = ReadRequest & {
  wait: boolean;
  /** Refuses records with unknown fields or duplicate keys. */
  strict: boolean;
  /** Leaves existing records alone. */
  onlyNew: boolean;
};

export type IngestParts = {
  engines: Engines;
  dealTypes: DealTypes;
  stdin: Readable;
  progress: Progress;
  refusals: Refusals;
  interrupted: AbortSignal;
  /** Gets a function that names the files not wholly in the queue at that moment. */
  onFileProgress: (unfinished: () => Unfinished[]) => void;
};

const WATCH_EVERY_MS = 1000;

/** Reads files into the ingest queue: good records go in, the others are refused one by one. */
export async function runIngest(request: IngestRequest, parts: IngestParts): Promise<IngestSummary> {
  const { engines, interrupted } = parts;
  const deadLetters = engines.queue<DeadLetter>(QUEUES.deadLetters);
  const started = Date.now();
  const deadLettersBefore = request.wait ? await deadLetterIds(deadLetters) : new Set<string>();
  const { run, jobIds, summary } = await enqueueFiles(request, parts, started);
  if (!request.wait || interrupted.aborted) {
    await run.check();
    return { ...summary, ...lostOf(run) };
  }
  return { ...summary, ...(await waitForRun(run, jobIds, parts, { started, deadLetters, deadLettersBefore })) };
}

/** Resolves when the records of all files are in the queue, or when it was interrupted. */
async function enqueueFiles(
  request: IngestRequest,
  parts: IngestParts,
  started: number,
): Promise<{ run: OwnRun; jobIds: readonly string[]; summary: IngestSummary }> {
  const { engines, progress, interrupted } = parts;
  const queue = engines.queue<IngestJob>(QUEUES.ingest);
  const counter = createIngestCounter(request);
  const vocabulary = { dealTypes: parts.dealTypes, today: isoDay(dayOfTime(engines.now())), strict: request.strict };
  const tickets = engines.tickets();
  // Taken before anything is enqueued, because an earlier loss does not concern this run.
  const ownFrom = await tickets.take();
  const run = await beginRun(engines, request.files, { tickets, warn: progress.warn });
  const enqueuer = createEnqueuer(queue, {
    hurried: interrupted,
    run,
    acknowledged: replicaWait(
      engines.redis,
      queuePrefix(engines.settings.TRANCHE_NAMESPACE),
      engines.settings.TRANCHE_REDIS_REPLICAS_TO_WAIT,
    ),
  });
  const comparison = createComparison(engines, { ownFrom, remembersNew: request.onlyNew });
  const select = async (block: readonly Waiting[]) => {
    const found = await comparison.add(block.map(({ record }) => record));
    if (!request.onlyNew) return block;
    return block.filter(({ record, again }, position) => {
      const { exists } = found[position]!;
      if (exists && !again) counter.leftOut(record);
      return !exists;
    });
  };
  const writer = createWriter({
    enqueuer,
    select,
    takeVersions: tickets.takeVersions,
    updatedAt: () => new Date(engines.now()).toISOString(),
  });

  const checkStall = watchForStall(queue, progress.warn);
  const watch = setInterval(
    () => void checkStall(`${enqueuer.jobIds().length} ${counter.counts.read}`).catch(() => {}),
    WATCH_EVERY_MS,
  );
  const fileProgress = createFileProgress(request.files, () => writer.counts());
  parts.onFileProgress(fileProgress.unfinished);
  try {
    await readFiles(request, { ...parts, counter, fileProgress, vocabulary }, (record, again, origin) =>
      writer.add(record, again, origin),
    );
    await writer.flush();
    counter.existing(existingOf(comparison.effects(), request.onlyNew));
    await run.allEnqueued(counter.total(), counter.counts.refused, parts.refusals.first());
  } catch (error) {
    // Records that were read are enqueued, whatever ended the reading.
    await writer.flush().catch(() => {});
    progress.warn(`Not wholly in the queue, ingest again: ${unfinishedText(fileProgress.unfinished())}`);
    throw error;
  } finally {
    clearInterval(watch);
    await run.stop();
  }

  return {
    run,
    jobIds: enqueuer.jobIds(),
    summary: counter.summary((Date.now() - started) / 1000, interrupted.aborted, fileProgress.unfinished()),
  };
}

/** Waits until the jobs of a run are done and what they stored is searchable, and returns what the wait found. */
async function waitForRun(
  run: OwnRun,
  jobIds: readonly string[],
  { engines, progress, interrupted }: IngestParts,
  from: { started: number; deadLetters: Queue<DeadLetter>; deadLettersBefore: Set<string> },
): Promise<Partial<IngestSummary>> {
  const queues = {
    ingest: engines.queue<IngestJob>(QUEUES.ingest),
    derive: engines.queue<DeriveJob>(QUEUES.derive),
    fanout: engines.queue(QUEUES.fanout),
    investors: engines.queue(QUEUES.investors),
    deadLetters: from.deadLetters,
  };
  const { failedJobs, lost } = await waitUntilSearchable(queues, jobIds, () => run.ledger.marked(), {
    progress,
    interrupted,
    lookEveryMs: engines.timing.commandLook,
  });
  await run.check(lost);
  if (!interrupted.aborted) await run.done({ failed: failedJobs.length > 0 });
  for (const { id, reason } of failedJobs.slice(0, 5)) progress.warn(`Job ${id} failed: ${reason}`);
  const newDeadLetters = await deadLettersSince(from.deadLetters, from.deadLettersBefore);
  if (newDeadLetters > 0)
    progress.warn(`${counted(newDeadLetters, "new dead letter")}: \`ops failed list\` shows why.`);
  return {
    ...lostOf(run),
    interrupted: interrupted.aborted,
    searchable:
      !interrupted.aborted && run.lostOrigins() === undefined && failedJobs.length === 0 && newDeadLetters === 0,
    searchable_after_seconds: Math.round((Date.now() - from.started) / 100) / 10,
    failed_jobs: failedJobs.length,
    dead_letters: newDeadLetters,
  };
}

function lostOf(run: OwnRun): Pick<IngestSummary, "lost"> {
  const lost = run.lostOrigins();
  return lost ? { lost } : {};
}
