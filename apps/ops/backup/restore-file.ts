import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { restoreBackups } from "@tranche/operations/dead-letters/restore-backups";
import { createIngestLosses } from "@tranche/shared/protocol/runs/ingest-losses";
import { createIngestRuns } from "@tranche/shared/protocol/runs/ingest-runs";
import { createRebuildStore, isRunning } from "@tranche/shared/protocol/rebuild/state";
import { raiseTicketClock } from "@tranche/shared/protocol/ticket/raise-clock";
import { ticketKey } from "@tranche/shared/protocol/ticket/ticket-clock";
import { auditedHere } from "../context/operator.ts";
import type { Engines } from "../context/connect.ts";
import type { Ops } from "../context/ops.ts";
import { Failure, Interrupted } from "../terminal/failure.ts";
import { shownNumber } from "@tranche/shared/domain/text/numbers";
import { createProgress } from "../terminal/progress.ts";
import { requeueDoneJobs } from "./done-jobs.ts";
import { reconcileHotCopies } from "./hot-copies.ts";
import { assertRestorable, writeRestoreState } from "./restore-state.ts";
import { assertAllThere, putBack } from "./put-back.ts";
import { type CheckedBackup, checkBackup, readBackup } from "./read-file.ts";
import { deriveEverything } from "./rederive.ts";
import { type Restored, restoredText } from "./restored.ts";
import { KNOWN_STORES, storesOf } from "./stores.ts";

/** `ops restore FILE --check`: reads a backup to its end and says what it holds. */
export async function showBackup(ops: Ops, path: string): Promise<void> {
  const { header, end } = await check(ops, path, ops.onInterrupt());
  const total = Object.values(end.documents).reduce((sum, count) => sum + count, 0);
  ops.terminal.show(
    { file: path, ...header, documents: end.documents },
    `${path} is a whole backup of namespace ${header.namespace} as of ${header.at}, by Tranche ${header.version}: ${shownNumber(total)} documents.`,
  );
}

/** `ops restore FILE`: checks a logical backup completely, writes it into the empty installation, and has everything derived. */
export async function restoreFile(ops: Ops, path: string): Promise<void> {
  const signal = ops.onInterrupt();
  const backup = await check(ops, path, signal);
  const engines = await ops.engines();
  const stores = storesOf(engines.names);
  const { id, namespace } = backup.header;
  const broken = await assertRestorable(engines, stores, id);
  await assertNoRebuild(engines);
  if (namespace !== engines.settings.TRANCHE_NAMESPACE) {
    ops.terminal.tell(
      `The backup is of namespace ${namespace}; it is restored into ${engines.settings.TRANCHE_NAMESPACE}.`,
    );
  }
  if (broken) {
    ops.terminal.tell(
      `A restore of this backup was interrupted (begun at ${broken.started_at}). It begins again; existing documents stay.`,
    );
  }
  const restored = await auditedHere(
    ops,
    "restore",
    { file: path, backup: id },
    () => write(ops, engines, path, backup, signal),
    ({ documents, already_there }) => ({ documents: String(documents), already_there: String(already_there) }),
  );
  ops.terminal.show(restored, restoredText(restored));
  ops.terminal.exitCode = ["failed", "cancelled"].includes(restored.rebuild.state) ? 1 : 0;
}

async function check(ops: Ops, path: string, signal: AbortSignal): Promise<CheckedBackup> {
  const progress = createProgress(ops.terminal);
  progress.begin("checking", 100);
  try {
    const onRead = (bytes: number, size: number) => progress.at((100 * bytes) / size);
    return await checkBackup(path, KNOWN_STORES, { signal, onRead });
  } finally {
    progress.stop();
  }
}

async function write(
  ops: Ops,
  engines: Engines,
  path: string,
  { header, end }: CheckedBackup,
  signal: AbortSignal,
): Promise<Restored> {
  const { client, names, redis, settings } = engines;
  const stores = storesOf(names);
  const started_at = new Date().toISOString();
  const restore = { kind: "restore" as const, backup: header.id, taken_at: header.at, started_at, finished_at: null };
  await writeRestoreState(engines, restore);
  // First of all: whatever is written meanwhile is newer than the backup.
  const redisKey = ticketKey(settings.TRANCHE_NAMESPACE);
  await raiseTicketClock({ client, controlIndex: names.control, redis, redisKey }, end.ticket_ceiling);

  const progress = createProgress(ops.terminal);
  const total = Object.values(end.documents).reduce((sum, count) => sum + count, 0);
  progress.begin("restoring", total, "documents");
  const { written, there } = await putBack(client, stores, readBackup(path, KNOWN_STORES, { signal }), (done) =>
    progress.at(done),
  )
    .catch((error: Error) => {
      if (!(error instanceof Interrupted)) throw error;
      throw new Interrupted(
        "Interrupted. The restore is not complete: run it again, and it continues with the missing documents.",
      );
    })
    .finally(() => progress.stop());
  await assertAllThere(client, stores, end.documents);
  return { ...(await finish(ops, engines, restore)), documents: written + there, already_there: there };
}

/** The steps after the documents, whichever way they came back: Redis is reconciled, and everything is derived again. */
export async function finish(
  ops: Ops,
  engines: Engines,
  restore: Parameters<typeof writeRestoreState>[1],
): Promise<Omit<Restored, "documents" | "already_there">> {
  const { client, names, redis, settings } = engines;
  const { accounts, feedLinks } = await ops.doing();
  const carried = await reconcileHotCopies(redis, settings.TRANCHE_NAMESPACE, accounts, feedLinks);
  await restoreBackups(
    { client, names, redis, namespace: settings.TRANCHE_NAMESPACE },
    { deadLetters: engines.queue(QUEUES.deadLetters), ingest: engines.queue(QUEUES.ingest) },
    (error) => ops.terminal.warn(error.message),
  );
  const runs = createIngestRuns(client, names);
  const jobs = await requeueDoneJobs(engines, restore.taken_at);
  // Where Redis still has every job, the indexer closes the runs itself.
  const lost = jobs.complete ? [] : await runs.open();
  const losses = createIngestLosses(client, names);
  // Named before they are closed: a run that is closed is forgotten.
  for (const run of lost) await losses.name(run, [], false);
  await runs.close(lost);
  const { rebuild, workers } = await deriveEverything(ops, engines);
  await writeRestoreState(engines, { ...restore, finished_at: new Date().toISOString() });
  return {
    backup: restore.backup,
    taken_at: restore.taken_at,
    ...carried,
    ...jobs,
    ingest_again: lost.map(({ files, started_at, enqueued_at }) => ({ files, started_at, enqueued_at })),
    rebuild,
    indexers: workers,
  };
}

/** Throws a Failure while a rebuild runs: it would miss records that are written behind it. */
async function assertNoRebuild(engines: Engines): Promise<void> {
  const read = await createRebuildStore(engines.client, engines.names).read();
  if (!read || !isRunning(read.rebuild)) return;
  throw new Failure(
    `Rebuild ${read.rebuild.id} is running, so nothing was restored. Wait for its end, or cancel it: \`ops reindex cancel\`.`,
  );
}
