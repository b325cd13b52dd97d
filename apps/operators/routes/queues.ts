import { memoizeFor } from "@tranche/http/server/memoize-for";
import { retryOrDiscard } from "@tranche/operations/dead-letters/retry-or-discard";
import { retryQueue } from "@tranche/operations/dead-letters/retry-queue";
import { createDeadLetterStore } from "@tranche/operations/dead-letters/store";
import { jobsIn } from "@tranche/operations/queues/jobs";
import { JOB_STATES, type JobState, jobView } from "@tranche/operations/queues/job-view";
import { queueState } from "@tranche/operations/queues/state";
import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import type { Queue } from "bullmq";
import { PageError } from "@tranche/http/errors/page-error";
import { chosen } from "./chosen.ts";
import { auditLogOf, type OperatorRouteParts, request } from "./parts.ts";

const PAGE = 20;
const NAMES: readonly string[] = Object.values(QUEUES);

/** The queues and their jobs. Failed jobs can be retried. */
export function queueRequests({ installation }: OperatorRouteParts) {
  const store = createDeadLetterStore(installation);
  // Several open pages share a reading.
  const states = memoizeFor(installation.timing.operatorReadings, () =>
    Promise.all(NAMES.map((name) => queueState(installation.queue(name)))),
  );
  const found = (name: string): Queue => {
    if (NAMES.includes(name)) return installation.queue(name);
    throw new PageError("not_found", `There is no queue '${name}'. The queues are ${NAMES.join(", ")}.`);
  };

  return {
    "GET /queues": request({}, states),

    /** A queue with one page of its jobs in one state. */
    "GET /queues/:id": request({}, async ({ ctx, id }) => {
      const queue = found(id);
      const { state, page } = placeOf(ctx.query);
      // The next job comes first; of failed jobs the newest.
      const [counts, jobs] = await Promise.all([
        queueState(queue),
        jobsIn(queue, state, PAGE, state === "failed" ? "newest" : "oldest", (page - 1) * PAGE),
      ]);
      return {
        state: counts,
        jobs: jobs.map((job) => jobView(state, job)),
        page,
        pages: Math.ceil(counts[state] / PAGE),
      };
    }),

    "POST /queues/:id/retry": request({ body: chosen }, async ({ ctx, id, body: { ids } }) => {
      const queue = found(id);
      if (queue.name === QUEUES.deadLetters) {
        throw new PageError(
          "conflict",
          "Dead letters wait for you and do not fail. The page Dead letters retries them.",
        );
      }
      const log = auditLogOf(ctx, installation);
      return ids === "all"
        ? { done: await retryQueue(log, queue), foreign: 0 }
        : retryOrDiscard(log, store, "retry", idsIn(queue, ids));
    }),
  };
}

/** The ids of failed jobs among dead letters. */
const idsIn = ({ name }: Queue, jobs: readonly string[]) => jobs.map((id) => `${name}/${id}`);

function placeOf({ state = "waiting", page = "1" }: Record<string, string | string[] | undefined>) {
  if (!JOB_STATES.includes(state as JobState)) {
    throw new PageError("invalid_request", `state must be one of ${JOB_STATES.join(", ")}.`, {
      parameter: "state",
    });
  }
  if (typeof page !== "string" || !/^[1-9]\d{0,5}$/.test(page)) {
    throw new PageError("invalid_request", "page must be a whole number from 1 to 999999.", { parameter: "page" });
  }
  return { state: state as JobState, page: Number(page) };
}
