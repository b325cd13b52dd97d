import type { estypes } from "@elastic/elasticsearch";
import { cancelRebuild } from "@tranche/operations/rebuild/cancel";
import { announceEverything } from "@tranche/shared/protocol/generations/generation";
import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { createRebuildStore } from "@tranche/shared/protocol/rebuild/state";
import { deleteWhere } from "@tranche/shared/engines/search/delete-where";
import { isStamped, READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { installationProblem } from "@tranche/shared/engines/search/installation-format";
import { raiseTicketClock } from "@tranche/shared/protocol/ticket/raise-clock";
import { readCeiling } from "@tranche/shared/protocol/ticket/ticket-ceiling";
import { ticketKey } from "@tranche/shared/protocol/ticket/ticket-clock";
import { auditedHere } from "../context/operator.ts";
import type { Engines } from "../context/connect.ts";
import type { Ops } from "../context/ops.ts";
import { Failure } from "../terminal/failure.ts";
import { shownNumber } from "@tranche/shared/domain/text/numbers";
import { completeTraces } from "./complete-traces.ts";
import { forgetHotCopies } from "./hot-copies.ts";
import { createMarker, deleteMarker, type Marker, readMarker, updateMarker } from "./marker.ts";
import { assertRestorable, writeRestoreState } from "./restore-state.ts";
import { repositoryFor } from "./repository.ts";
import { finish } from "./restore-file.ts";
import { restoredText } from "./restored.ts";
import { restoreIndices } from "./restore-indices.ts";
import { storesOf } from "./stores.ts";
import { usableSnapshot } from "./usable-snapshot.ts";

/** The clock's ceiling is raised this far ahead of use. */
const HEADROOM_US = 60_000_000;

/** `ops restore --snapshot NAME`: replaces the empty installation by a snapshot, and reconciles it with Redis. */
export async function restoreSnapshot(ops: Ops, snapshot: string, asked: string | undefined): Promise<void> {
  const engines = await ops.engines();
  const { client, names } = engines;
  const repository = await repositoryFor(client, asked);
  const info = await usableSnapshot(engines, repository, snapshot);
  const indices = info.indices!.filter((index) => isOurs(engines, index));
  const marker = await beginOrResume(ops, engines, repository, snapshot);
  if (marker.phase === "indices") {
    await restoreIndices(ops, engines, marker, indices);
    const problem = await installationProblem(client, names);
    if (problem !== undefined) throw new Failure(problem);
    await updateMarker(client, names, { ...marker, phase: "reconcile" });
  }
  const restored = await auditedHere(ops, "restore", { repository, snapshot }, () =>
    reconcile(ops, engines, marker, info),
  );
  await deleteMarker(client, names);
  ops.terminal.show(restored, restoredText(restored));
}

/** The marker of this restore: that of an interrupted one, which continues, or a new one. Throws a Failure if it can't begin here. */
async function beginOrResume(ops: Ops, engines: Engines, repository: string, snapshot: string): Promise<Marker> {
  const { client, names } = engines;
  const broken = await readMarker(client, names);
  if (broken && (broken.snapshot !== snapshot || broken.repository !== repository)) {
    throw new Failure(
      `A restore of snapshot ${broken.snapshot} (repository ${broken.repository}) was interrupted here at ${broken.started_at}. Run it again with that snapshot.`,
    );
  }
  if (!broken) await assertRestorable(engines, storesOf(names), snapshot);
  await assertNoIndexer(engines);
  if (broken) {
    ops.terminal.tell(`A restore of this snapshot was interrupted (begun at ${broken.started_at}). It continues.`);
    return broken;
  }
  const marker: Marker = { repository, snapshot, phase: "indices", started_at: new Date().toISOString() };
  await createMarker(client, names, marker);
  return marker;
}

const isOurs = ({ names }: Engines, index: string): boolean =>
  storesOf(names).some((store) => index === store.index) ||
  READ_MODELS.some((model) => isStamped(index, names.role(model, "live")));

/** Throws a Failure while an indexer runs: it would write to indices that are being replaced. */
async function assertNoIndexer(engines: Engines): Promise<void> {
  const workers = await engines.queue(QUEUES.ingest).getWorkersCount();
  if (workers === 0) return;
  throw new Failure(
    `${workers} indexers are connected, so nothing was restored. Stop all indexers, API processes and dashboards: they would write to indices that are being replaced.`,
  );
}

async function reconcile(ops: Ops, engines: Engines, marker: Marker, info: estypes.SnapshotSnapshotInfo) {
  const { client, names, redis, settings } = engines;
  const namespace = settings.TRANCHE_NAMESPACE;
  const taken_at = new Date(info.start_time_in_millis!).toISOString();
  const restore = {
    kind: "restore" as const,
    backup: marker.snapshot,
    taken_at,
    started_at: marker.started_at,
    finished_at: null,
  };
  await writeRestoreState(engines, restore);
  // The indices of a snapshot are read one after another: some may have numbers above the ceiling in it.
  const ceiling = (await readCeiling({ client, controlIndex: names.control })) ?? 0;
  const floor = Math.max(ceiling, (info.end_time_in_millis ?? 0) * 1000) + HEADROOM_US;
  await raiseTicketClock({ client, controlIndex: names.control, redis, redisKey: ticketKey(namespace) }, floor);
  await announceEverything({ redis, namespace, tickets: engines.tickets() }, READ_MODELS);
  await forgetHotCopies(redis, namespace, ["signouts"]);
  await deleteWhere(client, names.accounts, { terms: { kind: ["session", "oauth"] } });
  await deleteWhere(client, names.dashboard, { terms: { kind: ["link", "invitation", "code", "grant"] } });
  await cancelRebuild(client, names, createRebuildStore(client, names), "restored from a snapshot");
  const missing = await completeTraces(client, names);
  if (missing > 0)
    ops.terminal.tell(
      `${shownNumber(missing)} edges, stakes and deletions were missing in the snapshot, and were added.`,
    );
  const { count } = await client.count({ index: storesOf(names).map(({ index }) => index) });
  return { ...(await finish(ops, engines, restore)), documents: count, already_there: 0 };
}
