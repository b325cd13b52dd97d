import { randomUUID } from "node:crypto";
import { createPendingWrites } from "@tranche/shared/protocol/feed/pending-writes";
import { createAnnouncer } from "@tranche/shared/protocol/generations/announcer";
import { createDeadLetterBackup } from "@tranche/shared/protocol/queue/dead-letter-backup";
import { createPendingFanout, createPendingInvestors } from "@tranche/shared/protocol/queue/pending-documents";
import type { lossReporter } from "@tranche/shared/protocol/runs/redis-loss";
import type { OnRetry } from "@tranche/shared/engines/search/retry-forever";
import { readOrExit } from "@tranche/shared/process/read-or-exit";
import { clockOf } from "@tranche/shared/process/settings";
import { readDealTypes } from "@tranche/shared/process/vocabulary-file";
import { createTicketClock, type TicketClock, ticketKey } from "@tranche/shared/protocol/ticket/ticket-clock";
import type { Base } from "./base.ts";
import { untilJobsEnd } from "./jobs/under-way.ts";
import type { PipelineParts } from "./pipeline/parts.ts";
import { durablePending } from "./pipeline/durable-pending.ts";
import { pipelineQueues } from "./pipeline/queues.ts";

/**
 * What jobs leave to later ones outlasts a Redis that loses its newest writes: it may have lost that, and not the end of the job that
 * another Redis acknowledged.
 */
const durableFollowUps = (
  tickets: Pick<TicketClock, "durably" | "take">,
  {
    pendingInvestors,
    pendingFanout,
    enqueueDerive,
    enqueueInvestors,
    enqueueFanout,
    ...others
  }: ReturnType<typeof pipelineQueues>,
): ReturnType<typeof pipelineQueues> => ({
  ...others,
  pendingInvestors: durablePending(tickets, pendingInvestors),
  pendingFanout: {
    rounds: durablePending(tickets, pendingFanout.rounds),
    companies: durablePending(tickets, pendingFanout.companies),
  },
  enqueueDerive: tickets.durably(enqueueDerive),
  enqueueInvestors: tickets.durably(enqueueInvestors),
  enqueueFanout: tickets.durably(enqueueFanout),
});

/** Makes the dependencies of the pipeline. Calls `onFailedTry` for each request that Elasticsearch refused or failed. */
export function createPipeline(
  { settings, log, client, redis, names, namespace, queues, activity, timing }: Base,
  parts: {
    versions: PipelineParts["versions"];
    losses: ReturnType<typeof lossReporter>;
    onFailedTry: () => void;
    until: AbortSignal;
  },
): PipelineParts {
  const onRetry: OnRetry = (error, attempt) => {
    parts.onFailedTry();
    log.warn({ reason: error.message, attempt }, "Elasticsearch refused or failed a request; waiting");
  };
  const redisKey = ticketKey(namespace);
  const tickets = createTicketClock({
    redis,
    client,
    controlIndex: names.control,
    redisKey,
    writer: randomUUID(),
    ...parts.losses,
    onRetry,
  });
  return {
    client,
    names,
    versions: parts.versions,
    tickets,
    pendingWrites: createPendingWrites({ redis, namespace, tickets }),
    dealTypes: readOrExit(() => readDealTypes(settings.TRANCHE_VOCABULARY_FILE)),
    now: clockOf(settings),
    log,
    timing,
    onRetry,
    announcer: createAnnouncer({ redis, namespace, tickets }),
    untilJobsEnd: (withinMs) =>
      untilJobsEnd(
        [
          { queue: queues.ingest, onlyStarted: true },
          { queue: queues.derive, onlyStarted: false },
        ],
        { withinMs, lookEveryMs: timing.jobsEndLook, until: parts.until },
        () => activity.heartbeat(),
      ),
    ...durableFollowUps(
      tickets,
      pipelineQueues(
        queues,
        createPendingInvestors(redis, namespace),
        createPendingFanout(redis, namespace),
        createDeadLetterBackup(client, names),
        timing,
        log,
      ),
    ),
  };
}
