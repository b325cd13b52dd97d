import type { Client } from "@elastic/elasticsearch";
import type { Announcer } from "@tranche/shared/protocol/generations/announcer";
import type { PendingDocuments, PendingFanout } from "@tranche/shared/protocol/queue/pending-documents";
import type { DeadLetter, DeriveJob } from "@tranche/shared/protocol/queue/queues";
import type { PendingWrites } from "@tranche/shared/protocol/feed/pending-writes";
import type { Logger } from "@tranche/shared/process/logger";
import type { Timing } from "@tranche/shared/process/timing";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import type { OnRetry } from "@tranche/shared/engines/search/retry-forever";
import type { TicketClock } from "@tranche/shared/protocol/ticket/ticket-clock";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import type { TargetVersions } from "../write/target-versions.ts";

/** The dependencies of the pipeline and of every job. */
export type PipelineParts = {
  client: Client;
  names: IndexNames;
  versions: TargetVersions;
  tickets: TicketClock;
  /** Tickets with notes for the feed of changes. */
  pendingWrites: PendingWrites;
  dealTypes: DealTypes;
  /** The clock for signals and dates, in ms. */
  now: () => number;
  log: Logger;
  timing: Timing;
  onRetry: OnRetry;
  /** Enqueues jobs that derive documents. `since`, here and below: the time (ms) of the oldest job that they follow from; otherwise now. */
  enqueueDerive: (jobs: readonly DeriveJob[], since?: number) => Promise<void>;
  /** Stores dead letters for an operator. The same dead letter is stored once. */
  sendToDeadLetters: (deadLetters: readonly DeadLetter[]) => Promise<void>;
  announcer: Announcer;
  pendingInvestors: PendingDocuments;
  /** Enqueues a pass over the pending investors, unless one waits. */
  enqueueInvestors: () => Promise<void>;
  pendingFanout: PendingFanout;
  /** Enqueues a pass over the pending rounds and companies, unless one waits. */
  enqueueFanout: (since?: number) => Promise<void>;
  /** Waits until the jobs now in progress that change documents have ended, for at most a time. Returns whether there were any. */
  untilJobsEnd: (withinMs: number) => Promise<boolean>;
};
