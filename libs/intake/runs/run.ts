import { createEnqueuer } from "@tranche/shared/protocol/queue/enqueue";
import type { Installation } from "@tranche/operations/installation/installation";
import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import { type DeadLetter, type DeriveJob, type IngestJob, QUEUES } from "@tranche/shared/protocol/queue/queues";
import { replicaWait } from "@tranche/operations/queues/replicas";
import { counted } from "@tranche/shared/domain/text/numbers";
import type { ParsedRecord } from "@tranche/shared/domain/records/parse";
import { dayOfTime, isoDay } from "@tranche/shared/domain/time/day";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import type { IngestRun } from "@tranche/shared/protocol/runs/ingest-runs";
import type { Queue } from "bullmq";
import { watchForStall } from "@tranche/operations/queues/stall";
import { existingOf } from "../reading/existing.ts";
import { createFileProgress, type Unfinished, unfinishedText } from "../reading/file-progress.ts";
import { type Listener, readInputs, type ReadRequest } from "../reading/read.ts";
import type { Refusals } from "../reading/refusals.ts";
import { createComparison } from "../reading/comparison.ts";
import { noticesOf } from "../reading/notices.ts";
import { createIngestCounter } from "../reading/counter.ts";
import type { IngestSummary, SetSummary } from "../reading/summary.ts";
import type { SourceLocation } from "../sources/item.ts";
import { deadLetterIds, deadLettersSince, waitUntilSearchable } from "./wait.ts";
import { beginSet, refusedInSet, type SetRequest, type SetRun } from "./set-run.ts";
import { createWriter, type Waiting } from "./write.ts";
import { beginRun, type OwnRun } from "./run-of-jobs.ts";

export type IngestRequest = ReadRequest & {
  wait: boolean;
  /** Refuses records with unknown fields or duplicate keys. */
  strict: boolean;
  /** Leaves existing records alone. */
  onlyNew: boolean;
  /** The input is everything that this set has now. */
  set?: SetRequest | undefined;
};

export type IngestParts = {
  installation: Installation;
  dealTypes: DealTypes;
  progress: Listener;
  refusals: Refusals;
  interrupted: AbortSignal;
  /** For the stored run: its sender, and the stored mapping. */
  about?: Pick<IngestRun, "by" | "mapping">;
  /** Gets the run's id when it begins. */
  onBegun?: (run: string) => Promise<void>;
  /** Gets the summary when everything is in the queue, before the wait. */
  onEnqueued?: (summary: IngestSummary) => Promise<void>;
  /** How many ids it remembers, to notice that they come again; default: enough for a command that runs alone. */
  remembers?: number;
  /** Gets a function that names the inputs not wholly in the queue at that moment. */
  onFileProgress?: (unfinished: () => Unfinished[]) => void;
};

const WATCH_EVERY_MS = 1000;

/**
 * Reads inputs into the ingest queue: good records go in, the others are refused one by one. Throws SetUnderWay where another run of its
 * set is.
 */
export async function runIngest(request: IngestRequest, parts: IngestParts): Promise<IngestSummary> {
  const { installation, interrupted } = parts;
  const deadLetters = installation.queue<DeadLetter>(QUEUES.deadLetters);
  const started = Date.now();
  const deadLettersBefore = request.wait ? await deadLetterIds(deadLetters) : new Set<string>();
  const { run, set, jobIds, summary } = await enqueueInputs(request, parts, started);
  await parts.onEnqueued?.(summary);
  if (!request.wait || interrupted.aborted) {
    await run.check();
    return { ...summary, ...lostOf(run) };
  }
  return {
    ...summary,
    ...(await waitForRun({ run, set, jobIds, summary }, parts, { started, deadLetters, deadLettersBefore })),
  };
}

/** A run whose records are in the queue. */
type Enqueued = { run: OwnRun; set: SetRun | undefined; jobIds: readonly string[]; summary: IngestSummary };

/** Resolves when the records of all inputs are in the queue, or when it was interrupted. */
async function enqueueInputs(request: IngestRequest, parts: IngestParts, started: number): Promise<Enqueued> {
  const { installation, progress, interrupted } = parts;
  const queue = installation.queue<IngestJob>(QUEUES.ingest);
  const counter = createIngestCounter({ onlyNew: request.onlyNew, remembers: parts.remembers });
  const vocabulary = {
    dealTypes: parts.dealTypes,
    today: isoDay(dayOfTime(installation.now())),
    strict: request.strict,
  };
  const fileProgress = createFileProgress(request.inputs, () => writer.counts());
  const tickets = installation.tickets();
  // Taken before anything is enqueued, because an earlier loss does not concern this run.
  const ownFrom = await tickets.take();
  const set = request.set && (await beginSet(installation, request.set));
  const run = await beginRun(installation, request.inputs, {
    tickets,
    warn: progress.warn,
    about: { ...parts.about, ...(request.set ? { set: request.set.name } : {}) },
    soFar: () => ({ rows: counter.rows(), refusals: [...parts.refusals.first()], ...lastOf(fileProgress.last()) }),
  });
  await set?.begun(run.id);
  await parts.onBegun?.(run.id);
  const enqueuer = createEnqueuer(queue, {
    hurried: interrupted,
    run,
    acknowledged: replicaWait(
      installation.redis,
      queuePrefix(installation.settings.TRANCHE_NAMESPACE),
      installation.settings.TRANCHE_REDIS_REPLICAS_TO_WAIT,
    ),
  });
  const comparison = createComparison(installation, {
    ownFrom,
    remembersNew: request.onlyNew,
    remembers: parts.remembers,
  });
  const select = async (block: readonly Waiting[]) => {
    await set?.note(block.map(({ record }) => record));
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
    updatedAt: () => new Date(installation.now()).toISOString(),
  });

  const checkStall = watchForStall(queue, progress.warn);
  const watch = setInterval(
    () => void checkStall(`${enqueuer.jobIds().length} ${counter.counts.read}`).catch(() => {}),
    WATCH_EVERY_MS,
  );
  parts.onFileProgress?.(fileProgress.unfinished);
  const refuse = (record: ParsedRecord) => (set && refusedInSet(record)) ?? request.refuse?.(record);
  let ofSet: SetSummary | undefined;
  try {
    await readInputs({ ...request, refuse }, { ...parts, counter, fileProgress, vocabulary }, (record, again, origin) =>
      writer.add(record, again, origin),
    );
    await writer.flush();
    counter.existing(existingOf(comparison.effects(), request.onlyNew));
    const reason = interrupted.aborted
      ? String(interrupted.reason?.message ?? "interrupted")
      : request.inputs.map(({ broken }) => broken?.()).find((why) => why !== undefined);
    await run.allEnqueued({
      enqueued: counter.total(),
      refused: counter.counts.refused,
      notices: noticesOf(counter.summary(0, false)),
      ended: reason === undefined ? "whole" : "broken",
      ...(reason === undefined ? {} : { reason }),
    });
    const { refused, broken_files, with_records } = counter.counts;
    ofSet = await set?.settle(reason === undefined && refused + broken_files === 0 && with_records > 0);
  } catch (error) {
    // Records that were read are enqueued, whatever ended the reading.
    await writer.flush().catch(() => {});
    await run.failed(error as Error).catch(() => {});
    await set?.abandon().catch(() => {});
    progress.warn(`Not wholly in the queue, ingest again: ${unfinishedText(fileProgress.unfinished())}`);
    throw error;
  } finally {
    clearInterval(watch);
    await run.stop();
  }

  return {
    run,
    set,
    jobIds: enqueuer.jobIds(),
    summary: {
      run: run.id,
      ...counter.summary((Date.now() - started) / 1000, interrupted.aborted, fileProgress.unfinished()),
      ...(ofSet ? { set: ofSet } : {}),
    },
  };
}

/** Waits until the jobs of a run are done and what they stored is searchable, and returns what the wait found. */
async function waitForRun(
  { run, set, jobIds, summary }: Enqueued,
  { installation, progress, interrupted }: IngestParts,
  from: { started: number; deadLetters: Queue<DeadLetter>; deadLettersBefore: Set<string> },
): Promise<Partial<IngestSummary>> {
  const queues = {
    ingest: installation.queue<IngestJob>(QUEUES.ingest),
    derive: installation.queue<DeriveJob>(QUEUES.derive),
    fanout: installation.queue(QUEUES.fanout),
    investors: installation.queue(QUEUES.investors),
    deadLetters: from.deadLetters,
  };
  const lookEveryMs = installation.timing.commandLook;
  const ofSet = summary.set && { ...summary.set };
  const { failedJobs, lost } = await waitUntilSearchable(queues, jobIds, () => run.ledger.marked(), {
    progress,
    interrupted,
    lookEveryMs,
    async thenUntil() {
      if (ofSet?.deletions === "due") Object.assign(ofSet, await set?.untilDeleted(lookEveryMs, interrupted));
    },
  });
  await run.check(lost);
  if (!interrupted.aborted) await run.done({ failed: failedJobs.length > 0 });
  for (const { id, reason } of failedJobs.slice(0, 5)) progress.warn(`Job ${id} failed: ${reason}`);
  const newDeadLetters = await deadLettersSince(from.deadLetters, from.deadLettersBefore, run.id);
  if (newDeadLetters > 0)
    progress.warn(`${counted(newDeadLetters, "new dead letter")}: \`ops failed list\` shows why.`);
  return {
    ...lostOf(run),
    ...(ofSet ? { set: ofSet } : {}),
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

function lastOf(last: { file: string; location: SourceLocation } | undefined): Pick<IngestRun, "last"> {
  return last ? { last: { file: last.file, ...last.location } } : {};
}
