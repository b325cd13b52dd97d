import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { generationKey } from "@tranche/shared/generations/generation";
import { QUEUES } from "@tranche/shared/queue/queues";
import { createRebuildStore } from "@tranche/shared/rebuild/state";
import { RECORD_TYPES } from "@tranche/shared/records/record";
import { redisLosses } from "@tranche/shared/runs/redis-loss";
import { READ_MODELS, ROLES } from "@tranche/shared/search/indices";
import { shownAddress } from "@tranche/shared/search/wait";
import type { Queue } from "bullmq";
import type { Engines } from "../engines/connect.ts";
import { ofLetter } from "../stuck/entry.ts";
import { jobsIn, madeAt } from "../stuck/found.ts";

export type QueueState = {
  queue: string;
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  /** Of the job that has waited longest; null when none waits. */
  oldest_waiting_seconds: number | null;
  workers: number;
};

export type IndexState = { index: string; role: string | null; documents: number };

export type Status = Awaited<ReturnType<typeof readStatus>>;

/** The state of an installation, as both stores tell it. */
export async function readStatus(engines: Engines) {
  const { client, names, settings } = engines;
  const letters = engines.queue(QUEUES.deadLetters);
  const [queues, records, models, generations, accounts, deadLetters, newest, rebuild, losses] = await Promise.all([
    Promise.all(
      [QUEUES.ingest, QUEUES.derive, QUEUES.due, QUEUES.upkeep, QUEUES.rebuild, QUEUES.verify].map((name) =>
        queueState(engines.queue(name)),
      ),
    ),
    Promise.all(
      RECORD_TYPES.map(async (type): Promise<IndexState> => {
        const index = names.record(type);
        return { index, role: "records", documents: await countWithout(engines, index, "deleted") };
      }),
    ),
    readModels(engines),
    Promise.all(
      READ_MODELS.map(async (model) => [
        model,
        Number(await engines.redis.get(generationKey(settings.TRANCHE_NAMESPACE, model))) || null,
      ]),
    ),
    createAccountStore(client, names.accounts).accounts(),
    letters.getWaitingCount(),
    jobsIn(letters, "waiting", 1, "newest"),
    createRebuildStore(client, names).read(),
    redisLosses(client, names),
  ]);
  return {
    namespace: settings.TRANCHE_NAMESPACE,
    elasticsearch: shownAddress(settings.ELASTICSEARCH_URL),
    redis: shownAddress(settings.REDIS_URL),
    /** The clock for signals and dates. */
    now: new Date(engines.now()).toISOString(),
    queues,
    dead_letters: { count: deadLetters, last_at: newest[0] ? ofLetter(newest[0]).at : null },
    indices: [...records, ...models],
    generations: Object.fromEntries(generations) as Record<string, number | null>,
    accounts: accounts.length,
    /** The last rebuild, running or not. */
    rebuild: rebuild?.rebuild ?? null,
    /** Each time that Redis lost its data, with the ingests that may have lost something by it; the newest first. */
    redis_losses: losses.map(({ at, runs }) => ({ at, runs })),
  };
}

async function queueState(queue: Queue): Promise<QueueState> {
  const [counts, [oldest], workers] = await Promise.all([
    queue.getJobCounts("waiting", "active", "delayed", "failed"),
    jobsIn(queue, "waiting", 1, "oldest"),
    queue.getWorkersCount(),
  ]);
  const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
  const since = oldest ? madeAt(oldest) : null;
  const age = since === null ? null : Math.max(0, Math.round((Date.now() - since) / 1000));
  return { queue: queue.name, waiting, active, delayed, failed, oldest_waiting_seconds: age, workers };
}

/** Every index of a read model with its role; null for one that has none, such as what a rebuild that was cancelled left. */
async function readModels(engines: Engines): Promise<IndexState[]> {
  const { client, names } = engines;
  const states = READ_MODELS.map(async (model) => {
    const found = await client.indices.getAlias({ index: `${names.role(model, "live")}-*` });
    const rows = Object.entries(found).map(async ([index, { aliases }]): Promise<IndexState> => {
      const role = ROLES.find((each) => names.role(model, each) in aliases) ?? null;
      return { index, role, documents: await countWithout(engines, index, "gone") };
    });
    return Promise.all(rows);
  });
  return (await Promise.all(states)).flat();
}

async function countWithout({ client }: Engines, index: string, mark: "deleted" | "gone"): Promise<number> {
  const { count } = await client.count({ index, query: { bool: { must_not: [{ term: { [mark]: true } }] } } });
  return count;
}
