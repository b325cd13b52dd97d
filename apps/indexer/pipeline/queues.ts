import { type DeadLetterBackup, deadLetterId } from "@tranche/shared/protocol/queue/dead-letter-backup";
import type { Timing } from "@tranche/shared/process/timing";
import type { Logger } from "@tranche/shared/process/logger";
import type { PendingDocuments, PendingFanout } from "@tranche/shared/protocol/queue/pending-documents";
import { JOB_FORMATS } from "@tranche/shared/protocol/queue/formats";
import {
  type DeadLetter,
  type DeriveJob,
  type ExplainJob,
  type IngestJob,
  FANOUT_JOB_OPTIONS,
  INVESTORS_JOB_OPTIONS,
  JOB_OPTIONS,
  QUEUES,
  type SliceJob,
  type VerifyJob,
  type WebhookJob,
} from "@tranche/shared/protocol/queue/queues";
import { Queue, type QueueOptions } from "bullmq";
import type { PipelineParts } from "./parts.ts";

export type IndexerQueues = ReturnType<typeof createQueues>;

/** The queues that the indexer adds jobs to or counts. */
export function createQueues(options: QueueOptions) {
  // The connection logs its own errors, so an error of a queue would be logged twice.
  const queueOf = <T>(name: string) => new Queue<T>(name, options).on("error", () => {});
  return {
    ingest: queueOf<IngestJob>(QUEUES.ingest),
    derive: queueOf<DeriveJob>(QUEUES.derive),
    fanout: queueOf<undefined>(QUEUES.fanout),
    investors: queueOf<undefined>(QUEUES.investors),
    due: queueOf<undefined>(QUEUES.due),
    upkeep: queueOf<undefined>(QUEUES.upkeep),
    rebuild: queueOf<undefined>(QUEUES.rebuild),
    copy: queueOf<SliceJob>(QUEUES.copy),
    verify: queueOf<VerifyJob>(QUEUES.verify),
    explain: queueOf<ExplainJob>(QUEUES.explain),
    webhooks: queueOf<WebhookJob>(QUEUES.webhooks),
    deadLetters: queueOf<DeadLetter>(QUEUES.deadLetters),
  };
}

/** Queues whose jobs run one at a time across all indexers: the next one waits in the queue until this one ends. */
export const ONE_AT_A_TIME = ["due", "verify"] as const satisfies readonly (keyof IndexerQueues)[];

/** How many jobs of each queue this process could take now. `omit`: queues that it takes none of. */
export async function countTakeable(
  queues: IndexerQueues,
  omit: readonly (keyof IndexerQueues)[],
): Promise<Map<string, number>> {
  const counts = Object.entries(queues).map(async ([key, queue]) => {
    const name = key as keyof IndexerQueues;
    if (omit.includes(name)) return [queue.name, 0] as const;
    const { waiting = 0, active = 0 } = await queue.getJobCounts("waiting", "active");
    const isTaken = active > 0 && ONE_AT_A_TIME.some((one) => one === name);
    return [queue.name, isTaken ? 0 : waiting] as const;
  });
  return new Map(await Promise.all(counts));
}

/** Counts the derivations that no indexer has taken yet, for work that waits for them. `heartbeat`: such work does not hang. */
export const waitingDerivations =
  ({ derive }: Pick<IndexerQueues, "derive">, heartbeat: () => void) =>
  (): Promise<number> => {
    heartbeat();
    return derive.getWaitingCount();
  };

/** Any queue by its name, opened once, for callers that only read. */
export function createQueueOf(options: QueueOptions): (name: string) => Queue {
  const opened = new Map<string, Queue>();
  return (name) => {
    let queue = opened.get(name);
    if (!queue) opened.set(name, (queue = new Queue(name, options).on("error", () => {})));
    return queue;
  };
}

/** A job that follows from an older one is as old: the delay of `/freshness` is the age of the oldest one. */
const asOldAs = (since: number | undefined) => (since === undefined ? {} : { timestamp: since });

/** The queues as the pipeline uses them. */
export function pipelineQueues(
  queues: IndexerQueues,
  pendingInvestors: PendingDocuments,
  pendingFanout: PendingFanout,
  backup: Pick<DeadLetterBackup, "keep">,
  timing: Timing,
  log: Logger,
): Pick<
  PipelineParts,
  "enqueueDerive" | "sendToDeadLetters" | "pendingInvestors" | "enqueueInvestors" | "pendingFanout" | "enqueueFanout"
> {
  return {
    pendingInvestors,
    pendingFanout,
    enqueueFanout: async (since) => {
      await queues.fanout.add("fanout", undefined, { ...FANOUT_JOB_OPTIONS, ...asOldAs(since) });
    },
    enqueueInvestors: async () => {
      // Never as old as what it follows from: BullMQ counts the delay from the time of the job.
      await queues.investors.add("investors", undefined, { ...INVESTORS_JOB_OPTIONS, delay: timing.investorsPass });
    },
    enqueueDerive: async (jobs, since) => {
      const format = JOB_FORMATS.derive;
      const opts = { ...JOB_OPTIONS, ...asOldAs(since) };
      await queues.derive.addBulk(jobs.map((job) => ({ name: "documents", data: { format, ...job }, opts })));
    },
    sendToDeadLetters: async (deadLetters) => {
      await backup.keep(deadLetters).catch((err: unknown) => log.error({ err }, "only Redis has some dead letters"));
      await queues.deadLetters.addBulk(
        deadLetters.map((data) => ({
          name: data.what.kind,
          data,
          opts: { ...JOB_OPTIONS, jobId: deadLetterId(data) },
        })),
      );
    },
  };
}
