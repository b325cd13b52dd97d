import type { Client } from "@elastic/elasticsearch";
import type { Queue } from "bullmq";
import type { RedisClient } from "../../engines/redis/connect.ts";
import { type JobRange, markedJobs } from "../queue/job-ledger.ts";
import { JOB_FORMATS } from "../queue/formats.ts";
import { JOB_OPTIONS, type RederiveJob, UPKEEP_JOBS } from "../queue/queues.ts";
import type { IndexNames } from "../../engines/search/index-names.ts";
import { retryForever, wholeAnswer } from "../../engines/search/retry-forever.ts";
import { SETTLE_MS } from "../ticket/lost-numbers.ts";
import { createFeedControlStore } from "../feed/control.ts";
import { showFeedState } from "../feed/show-state.ts";
import type { HistoryEvents } from "../ticket/ticket-clock.ts";
import { createIngestLosses } from "./ingest-losses.ts";
import { areMarksForgotten, createIngestRuns, type IngestRun } from "./ingest-runs.ts";
import { originsOf } from "./job-origins.ts";

/** Redis was found without what it had acknowledged: all of it (`emptied`), or its newest writes (`went back`). */
type RedisLoss = {
  kind: "redis-loss";
  id: string;
  /** When it was noticed. */
  at: string;
  how: "emptied" | "went back";
  /** Ingest runs that lost something: ingest it again. What other programs enqueued nobody knows. */
  runs: Pick<IngestRun, "id" | "files" | "started_at" | "enqueued_at" | "enqueued">[];
  /** False when an operator has resolved it. */
  open?: boolean;
};

const MAX_SHOWN = 100;

export type LossReporter = Required<HistoryEvents> & {
  /** Reports runs whose lost jobs were noticed by their marks. `id` identifies the loss. */
  reportRuns: (id: string, runs: readonly IngestRun[]) => Promise<void>;
};

/**
 * Handles a Redis that lost data: saves the loss once, names the open runs that lost jobs, and has every document derived afresh. Safe in
 * several processes at once: `ceiling` identifies the loss.
 */
export function lossReporter(parts: {
  client: Client;
  names: IndexNames;
  redis: RedisClient;
  namespace: string;
  upkeep: Queue;
  tell: (line: string) => void;
  /** Hears of what is no loss. Default: nobody. */
  note?: (line: string) => void;
}): LossReporter {
  const { client, names, redis, namespace, upkeep, tell, note = () => {} } = parts;
  const runs = createIngestRuns(client, names);
  const losses = createIngestLosses(client, names);

  /** Open runs whose marks are behind what they noted, with their lost jobs. */
  const lostRuns = async (among?: readonly IngestRun[]): Promise<{ run: IngestRun; jobs: JobRange[] }[]> => {
    const open = among ?? (await runs.open());
    const marks = await markedJobs(
      redis,
      namespace,
      open.map(({ id }) => id),
    );
    return open.flatMap((run, i) => {
      const [mark, noted] = [marks[i]!, run.jobs];
      if (mark === 0 && areMarksForgotten(run)) return [];
      // A run that still reads may have enqueued more than it noted.
      const isLost = mark < noted || (mark === 0 && run.enqueued_at === null);
      return isLost ? [{ run, jobs: [[mark + 1, noted] as const] }] : [];
    });
  };

  const report = async (id: string, how: RedisLoss["how"], lost: { run: IngestRun; jobs: JobRange[] }[]) => {
    const loss: RedisLoss = {
      kind: "redis-loss",
      id: `redis-loss-${id}`,
      at: new Date().toISOString(),
      how,
      runs: lost.map(({ run: { id: run, files, started_at, enqueued_at, enqueued } }) => ({
        id: run,
        files,
        started_at,
        enqueued_at,
        enqueued,
      })),
    };
    await retryForever(() =>
      client.index(
        { index: names.control, id: loss.id, document: loss, op_type: "create", refresh: true },
        { ignore: [409] },
      ),
    );
    for (const { run, jobs } of lost) await losses.name(run, originsOf(run.parts, jobs), false);
    // Saved first, because a run that is closed before it is named would be forgotten.
    await runs.close(lost.map(({ run }) => run));
    tell(
      `Redis ${how === "emptied" ? "lost its data" : "went back and lost its newest writes"}: jobs that were queued are gone, and every document is derived afresh. \`ops status\` says more.`,
    );
    await deriveAll({ again: how === "emptied" });
  };

  /** With `again` every document counts as changed. Without it, it waits until writers may compare with what is there. */
  const deriveAll = async (job: RederiveJob) => {
    // One that runs may have passed what this loss concerns.
    await upkeep.add(UPKEEP_JOBS.rederive, job, {
      ...JOB_OPTIONS,
      ...(job.again ? {} : { delay: SETTLE_MS }),
      deduplication: { id: job.again ? "rederive-again" : "rederive", keepLastIfActive: true },
    });
  };

  /**
   * Shows readers the stored state of the feed: Redis may have none, or one from before a swap. In that index they would pass tickets of
   * changes that only the live one has.
   */
  const showFeed = async () => {
    const read = await createFeedControlStore(client, names).read();
    if (read) await showFeedState(redis, namespace, read.control);
  };

  return {
    onLost: async (ceiling, how) => {
      await showFeed();
      await report(String(ceiling), how, await lostRuns());
    },
    onReplaced: async () => {
      await showFeed();
      note("Redis restarted or another one took over: what its newest writes were about is published again.");
      const format = JOB_FORMATS.upkeep;
      await upkeep.add(
        UPKEEP_JOBS.recover,
        { format },
        {
          ...JOB_OPTIONS,
          deduplication: { id: "recover", keepLastIfActive: true },
        },
      );
    },
    onContinued: () => note("Redis restarted with everything that it had acknowledged."),
    hasNotedJobs: async () => (await lostRuns()).every(({ run }) => run.jobs === 0),
    reportRuns: async (id, among) => {
      const lost = await lostRuns(among);
      if (lost.length > 0) await report(id, "went back", lost);
    },
  };
}

/** The losses that were noticed and are not resolved, the newest first. */
export async function redisLosses(client: Client, names: IndexNames): Promise<RedisLoss[]> {
  const answer = await retryForever(async () =>
    wholeAnswer(
      await client.search<RedisLoss>({
        index: names.control,
        size: MAX_SHOWN,
        query: { bool: { filter: [{ term: { kind: "redis-loss" } }], must_not: [{ term: { open: false } }] } },
      }),
    ),
  );
  return answer.hits.hits.map((hit) => hit._source!).toSorted((a, b) => (a.at < b.at ? 1 : -1));
}
