import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { generationKey } from "@tranche/shared/protocol/generations/generation";
import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { readLostRollback } from "@tranche/shared/protocol/rebuild/give-up";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { createRebuildStore } from "@tranche/shared/protocol/rebuild/state";
import { RECORD_TYPES } from "@tranche/shared/domain/records/record";
import { shownProblems } from "@tranche/shared/domain/records/shown-problem";
import { createIngestRuns, type IngestRun } from "@tranche/shared/protocol/runs/ingest-runs";
import { createIngestLosses } from "@tranche/shared/protocol/runs/ingest-losses";
import { redisLosses } from "@tranche/shared/protocol/runs/redis-loss";
import { outdatedIndices } from "@tranche/read-models/indices/state";
import { INDEX_ROLES, READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { PartialAnswer, wholeAnswer } from "@tranche/shared/engines/search/retry-forever";
import { shownRedisAddress } from "@tranche/shared/process/redis-address";
import { shownAddress } from "@tranche/shared/engines/search/wait";
import type { Installation } from "../installation/installation.ts";
import { closedIndices } from "./closed-indices.ts";
import { elasticsearchHealth, redisHealth } from "./engine-health.ts";
import { readLag } from "./lag.ts";
import { isRolledBack } from "../rebuild/rolled-back.ts";
import { entryOfDeadLetter } from "../dead-letters/entry.ts";
import { jobsIn } from "../queues/jobs.ts";
import { type QueueState, queueState } from "../queues/state.ts";

/** `documents` is null while a shard is away. */
type IndexState = { index: string; role: string | null; documents: number | null };

export type Status = Awaited<ReturnType<typeof readStatus>>;

/** The state of an installation, read from both stores. `version` is that of this program. */
export async function readStatus(installation: Installation, version: string) {
  const { client, names, settings } = installation;
  const {
    queues,
    records,
    models,
    generations,
    accounts,
    deadLetters,
    rebuild,
    roles,
    outdated,
    closed,
    losses,
    lostIngests,
    ingest,
    lag,
    elasticsearch,
    redis,
  } = await readAll({
    queues: readQueues(installation),
    records: readRecords(installation),
    models: readModels(installation),
    generations: readGenerations(installation),
    accounts: createAccountStore(client, names).accounts(),
    deadLetters: readDeadLetters(installation),
    rebuild: createRebuildStore(client, names).read(),
    roles: readIndexRoles(client, names),
    outdated: outdatedIndices(client, names),
    closed: closedIndices(client, names),
    losses: redisLosses(client, names),
    lostIngests: createIngestLosses(client, names).open(),
    ingest: createIngestRuns(client, names).last(),
    lag: readLag(
      { redis: installation.redis, namespace: settings.TRANCHE_NAMESPACE, ingest: installation.queue(QUEUES.ingest) },
      Date.now(),
    ),
    elasticsearch: elasticsearchHealth(client),
    redis: redisHealth(installation.redis),
  });
  return {
    namespace: settings.TRANCHE_NAMESPACE,
    elasticsearch: shownAddress(settings.ELASTICSEARCH_URL),
    redis: shownRedisAddress(settings.REDIS_URL),
    /** The clock for signals and dates. */
    now: new Date(installation.now()).toISOString(),
    versions: { tranche: version, elasticsearch: elasticsearch.version, redis: redis.version },
    health: { elasticsearch, redis },
    queues,
    /** How far what is searchable lags behind what was enqueued. */
    lag,
    /** Writes and documents that could not be processed, and whole jobs. */
    dead_letters: {
      count: deadLetters.count,
      failed_jobs: queues.reduce((sum, { failed }) => sum + failed, 0),
      last_at: deadLetters.lastAt,
    },
    last_ingest: ingest ? lastIngest(ingest) : null,
    indices: [...records, ...models],
    /** Live indices that do not fit this version, and why: a rebuild is due, or this program is too old. */
    outdated_indices: outdated,
    /** Indices that take no writes, and why: writes to them wait. */
    closed_indices: closed,
    generations,
    accounts: accounts.length,
    /** The last rebuild, running or not. */
    rebuild: rebuild?.rebuild ?? null,
    /** Whether the last rebuild was undone: the live indices are those from before it. */
    rolled_back: rebuild !== undefined && isRolledBack(rebuild.rebuild, roles),
    /** Why `ops rollback` is no longer possible: the previous indices missed a write. null: they did not. */
    lost_rollback: (await readLostRollback(client, names, roles)) ?? null,
    /** Each time that Redis lost data, with the ingests that lost something by it, until an operator has resolved it; the newest first. */
    redis_losses: losses.map(({ id, at, how, runs }) => ({ id, at, how, runs })),
    /** Writes that ingests lost by that and that were not ingested again, by file and line. */
    lost_ingests: lostIngests.map(({ id, files, started_at, at, lost }) => ({ id, files, started_at, at, lost })),
  };
}

/** Waits for readings by their names. Rejects with the first that fails. */
async function readAll<Readings extends Record<string, unknown>>(
  readings: Readings,
): Promise<{ [Name in keyof Readings]: Awaited<Readings[Name]> }> {
  const entries = Object.entries(readings).map(async ([name, reading]) => [name, await reading]);
  return Object.fromEntries(await Promise.all(entries)) as { [Name in keyof Readings]: Awaited<Readings[Name]> };
}

/** `enqueued_at` is null while it reads, and stays null when it was interrupted. */
function lastIngest({ files, started_at, enqueued_at, enqueued, refused, refusals = [], open }: IngestRun) {
  const [first] = refusals;
  /** Why nothing was read; null when something was, or there was nothing to read. */
  const read_nothing = enqueued === 0 && first ? shownProblems(first.problems) : null;
  return { files, started_at, enqueued_at, enqueued, refused: refused ?? null, read_nothing, done: !open };
}

/** The state of each queue that has workers, but for explanations, which somebody waits for. */
function readQueues(installation: Installation): Promise<QueueState[]> {
  const names = Object.values(QUEUES).filter((name) => name !== QUEUES.explain && name !== QUEUES.deadLetters);
  return Promise.all(names.map((name) => queueState(installation.queue(name))));
}

function readRecords(installation: Installation): Promise<IndexState[]> {
  return Promise.all(
    RECORD_TYPES.map(async (type) => {
      const index = installation.names.record(type);
      return { index, role: "records", documents: await countWithout(installation, index, "deleted") };
    }),
  );
}

/** The generation of each read model; null when it has none. */
async function readGenerations({ redis, settings }: Installation): Promise<Record<string, number | null>> {
  const generations = READ_MODELS.map(async (model) => {
    const generation = await redis.get(generationKey(settings.TRANCHE_NAMESPACE, model));
    return [model, Number(generation) || null] as const;
  });
  return Object.fromEntries(await Promise.all(generations));
}

async function readDeadLetters(installation: Installation): Promise<{ count: number; lastAt: string | null }> {
  const queue = installation.queue(QUEUES.deadLetters);
  const [count, [newest]] = await Promise.all([queue.getWaitingCount(), jobsIn(queue, "waiting", 1, "newest")]);
  return { count, lastAt: newest ? entryOfDeadLetter(newest).at : null };
}

/** Every index of a read model with its role; null for one without a role, like those of a cancelled rebuild. */
async function readModels(installation: Installation): Promise<IndexState[]> {
  const { client, names } = installation;
  const states = READ_MODELS.map(async (model) => {
    const found = await client.indices.getAlias({ index: `${names.role(model, "live")}-*` });
    const rows = Object.entries(found).map(async ([index, { aliases }]): Promise<IndexState> => {
      const role = INDEX_ROLES.find((each) => names.role(model, each) in aliases) ?? null;
      return { index, role, documents: await countWithout(installation, index, "gone") };
    });
    return Promise.all(rows);
  });
  return (await Promise.all(states)).flat();
}

async function countWithout({ client }: Installation, index: string, mark: "deleted" | "gone"): Promise<number | null> {
  const query = { bool: { must_not: [{ term: { [mark]: true } }] } };
  try {
    // 404: the index has just been deleted.
    const answer = await client.count({ index, query }, { ignore: [404] });
    return "count" in answer ? wholeAnswer(answer).count : null;
  } catch (error) {
    if (error instanceof PartialAnswer || (error as { meta?: { statusCode?: number } }).meta?.statusCode === 503)
      return null;
    throw error;
  }
}
