import type { Client } from "@elastic/elasticsearch";
import type { Queue } from "bullmq";
import { JOB_OPTIONS, UPKEEP_JOBS } from "../queue/queues.ts";
import type { IndexNames } from "../search/index-names.ts";
import { retryForever, wholeAnswer } from "../search/retry-forever.ts";
import { createIngestRuns, type IngestRun } from "./ingest-runs.ts";

/** Redis was found without its data: whatever was queued is gone, the dead letters and failed jobs too. */
export type RedisLoss = {
  kind: "redis-loss";
  id: string;
  /** When it was noticed. */
  at: string;
  /** Ingest runs that may have lost something: ingest their files again. What other programs enqueued nobody knows. */
  runs: Pick<IngestRun, "id" | "files" | "started_at" | "enqueued_at" | "enqueued">[];
};

const MAX_SHOWN = 100;

/**
 * Handles a lost ticket clock: saves the loss once and has every document derived again. Safe in several processes at once: `ceiling`
 * identifies the loss.
 */
export function lossReporter(parts: {
  client: Client;
  names: IndexNames;
  upkeep: Queue;
  tell: (line: string) => void;
}): (ceiling: number) => Promise<void> {
  const { client, names, upkeep, tell } = parts;
  return async (ceiling) => {
    const runs = createIngestRuns(client, names);
    const lost = await runs.open();
    const loss: RedisLoss = {
      kind: "redis-loss",
      id: `redis-loss-${ceiling}`,
      at: new Date().toISOString(),
      runs: lost.map(({ id, files, started_at, enqueued_at, enqueued }) => ({
        id,
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
    // Saved first, because a run that is closed before it is named would be forgotten.
    await runs.close(lost);
    tell("Redis lost its data: what was queued is gone, and every document is derived afresh. `ops status` says more.");
    await upkeep.add(UPKEEP_JOBS.rederive, undefined, { ...JOB_OPTIONS, deduplication: { id: "rederive" } });
  };
}

/** The losses that were noticed, the newest first. */
export async function redisLosses(client: Client, names: IndexNames): Promise<RedisLoss[]> {
  const answer = await retryForever(async () =>
    wholeAnswer(
      await client.search<RedisLoss>({
        index: names.control,
        size: MAX_SHOWN,
        query: { bool: { filter: [{ term: { kind: "redis-loss" } }] } },
      }),
    ),
  );
  return answer.hits.hits.map((hit) => hit._source!).toSorted((a, b) => (a.at < b.at ? 1 : -1));
}
