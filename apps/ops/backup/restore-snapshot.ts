import { setTimeout as pause } from "node:timers/promises";
import type { Client, estypes } from "@elastic/elasticsearch";
import { cancelRebuild } from "@tranche/operations/rebuild/cancel";
import { ensureIndices } from "@tranche/read-models/indices/creation";
import { announceEverything } from "@tranche/shared/generations/generation";
import { QUEUES } from "@tranche/shared/queue/queues";
import { createRebuildStore } from "@tranche/shared/rebuild/state";
import { deleteWhere } from "@tranche/shared/search/delete-where";
import { isStamped, READ_MODELS } from "@tranche/shared/search/index-names";
import { refreshed } from "@tranche/shared/search/refreshed";
import { raiseTicketClock } from "@tranche/shared/ticket/raise-clock";
import { readCeiling } from "@tranche/shared/ticket/ticket-ceiling";
import { ticketKey } from "@tranche/shared/ticket/ticket-clock";
import { auditedHere } from "../audit/operator.ts";
import type { Engines } from "../engines/connect.ts";
import type { Ops } from "../ops.ts";
import { Failure } from "../terminal/failure.ts";
import { shownNumber } from "../terminal/numbers.ts";
import { createProgress } from "../terminal/progress.ts";
import { completeEdges } from "./complete-edges.ts";
import { FORMAT } from "./format.ts";
import { createMarker, deleteMarker, type Marker, readMarker, updateMarker } from "./marker.ts";
import { assertRestorable, writeNote } from "./note.ts";
import { repositoryFor } from "./repository.ts";
import { finish } from "./restore-file.ts";
import { restoredText } from "./restored.ts";
import { storesOf } from "./stores.ts";
import { snapshotIn, type SnapshotNotes } from "./take-snapshot.ts";

const LOOK_EVERY_MS = 500;
/** The clock's ceiling is raised this far ahead of use. */
const HEADROOM_US = 60_000_000;

/** `ops restore --snapshot NAME`: replaces the empty installation by a snapshot, and reconciles it with Redis. */
export async function restoreSnapshot(ops: Ops, snapshot: string, asked: string | undefined): Promise<void> {
  const engines = await ops.engines();
  const { client, names } = engines;
  const repository = await repositoryFor(client, asked);
  const info = await usableSnapshot(engines, repository, snapshot);
  const indices = info.indices!.filter((index) => isOurs(engines, index));
  const broken = await readMarker(client, names);
  if (broken && (broken.snapshot !== snapshot || broken.repository !== repository)) {
    throw new Failure(
      `A restore of snapshot ${broken.snapshot} (repository ${broken.repository}) was interrupted here at ${broken.started_at}. Run it again with that snapshot.`,
    );
  }
  if (!broken) await assertRestorable(engines, storesOf(names), snapshot);
  await assertNoIndexer(engines);
  const marker: Marker = broken ?? { repository, snapshot, phase: "indices", started_at: new Date().toISOString() };
  if (broken)
    ops.terminal.tell(`A restore of this snapshot was interrupted (begun at ${broken.started_at}). It continues.`);
  else await createMarker(client, names, marker);
  if (marker.phase === "indices") {
    await restoreIndices(ops, engines, marker, indices);
    await updateMarker(client, names, { ...marker, phase: "reconcile" });
  }
  const restored = await auditedHere(ops, "restore", { repository, snapshot }, () =>
    reconcile(ops, engines, marker, info),
  );
  await deleteMarker(client, names);
  ops.terminal.show(restored, restoredText(restored));
}

/** Throws a Failure unless the snapshot is whole, of this namespace, and of a version that this one can read. */
async function usableSnapshot(
  engines: Engines,
  repository: string,
  snapshot: string,
): Promise<estypes.SnapshotSnapshotInfo> {
  const { client, names, settings } = engines;
  const info = await snapshotIn(client, repository, snapshot);
  if (!info) {
    const { snapshots = [] } = await client.snapshot.get({
      repository,
      snapshot: "*",
      sort: "start_time",
      order: "desc",
    });
    const newest = snapshots.slice(0, 5).map((each) => each.snapshot);
    throw new Failure(
      `Repository ${repository} has no snapshot '${snapshot}'. ${newest.length === 0 ? "It has none at all" : `The newest are ${newest.join(", ")}`}.`,
    );
  }
  if (info.state !== "SUCCESS")
    throw new Failure(`Snapshot ${snapshot} is ${info.state}: only a complete one is restored.`);
  const notes = info.metadata?.["tranche"] as SnapshotNotes | undefined;
  if (notes && notes.format > FORMAT) {
    throw new Failure(
      `Snapshot ${snapshot} was made by a newer version (Tranche ${notes.version}). Restore it with that version or a later one.`,
    );
  }
  if (notes && notes.namespace !== settings.TRANCHE_NAMESPACE) {
    throw new Failure(
      `Snapshot ${snapshot} is of namespace ${notes.namespace}, and a snapshot keeps its names. Set TRANCHE_NAMESPACE to ${notes.namespace}, or restore a file of \`ops backup FILE\`, which fits any namespace.`,
    );
  }
  const needed = [names.control, names.accounts, names.record("company")];
  const missing = needed.filter((store) => !info.indices!.some((index) => index === store || isStamped(index, store)));
  if (missing.length > 0) throw new Failure(`Snapshot ${snapshot} does not have ${missing.join(", ")}.`);
  return info;
}

const isOurs = ({ names }: Engines, index: string): boolean =>
  storesOf(names).some((store) => index === store.index || isStamped(index, store.index)) ||
  READ_MODELS.some((model) => isStamped(index, names.role(model, "live")));

/** Throws a Failure while an indexer runs: it would write to indices that are being replaced. */
async function assertNoIndexer(engines: Engines): Promise<void> {
  const workers = await engines.queue(QUEUES.ingest).getWorkersCount();
  if (workers === 0) return;
  throw new Failure(
    `${workers} indexers are connected, so nothing was restored. Stop all indexers, API processes and dashboards: they would write to indices that are being replaced.`,
  );
}

/** Deletes the empty indices, and restores those of the snapshot in their place. */
async function restoreIndices(
  ops: Ops,
  { client, names, settings }: Engines,
  { repository, snapshot }: Marker,
  indices: readonly string[],
): Promise<void> {
  const stores = storesOf(names).map(({ index }) => index);
  const models = READ_MODELS.map((model) => `${names.role(model, "live")}-*`);
  const there = Object.keys(await client.indices.get({ index: [...stores, ...models], ignore_unavailable: true }));
  if (there.length > 0) await client.indices.delete({ index: there });
  await client.snapshot
    .restore({
      repository,
      snapshot,
      indices: [...indices],
      include_aliases: true,
      include_global_state: false,
      // A store that was being resharded is closed to writes in the snapshot.
      ignore_index_settings: ["index.blocks.write"],
      wait_for_completion: false,
    })
    .catch((error: Error) => {
      if (!error.message.includes("same name already exists")) throw error;
      throw new Failure(
        "A process created an index again while the snapshot was about to be restored. Stop all indexers, API processes and dashboards, and run the restore again.",
      );
    });
  await untilRestored(ops, client, indices);
  const layout = { shards: settings.TRANCHE_SHARDS, replicas: settings.TRANCHE_REPLICAS };
  // Stores that the version of the snapshot did not have.
  await ensureIndices(client, names, layout);
  await refreshed(client, stores);
}

async function untilRestored(ops: Ops, client: Client, indices: readonly string[]): Promise<void> {
  const progress = createProgress(ops.terminal);
  progress.begin("restoring", indices.length, "indices");
  try {
    for (;;) {
      const health = await client.cluster.health({ index: [...indices], level: "indices" });
      const states = Object.values(health.indices ?? {});
      const ready = states.filter((each) => each.active_primary_shards === each.number_of_shards);
      progress.at(ready.length);
      if (states.length === indices.length && ready.length === indices.length) return;
      const rows = await client.cat.shards({
        index: [...indices],
        h: ["index", "prirep", "state", "unassigned.reason", "unassigned.details"],
        format: "json",
      });
      const failed = rows.find((row) => row.prirep === "p" && row["unassigned.reason"] === "ALLOCATION_FAILED");
      if (failed) {
        throw new Failure(
          `Elasticsearch could not restore ${failed.index}: ${failed["unassigned.details"]}. Run the restore again when the cause is removed, or choose another snapshot after deleting the indices.`,
        );
      }
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    progress.stop();
  }
}

async function reconcile(ops: Ops, engines: Engines, marker: Marker, info: estypes.SnapshotSnapshotInfo) {
  const { client, names, redis, settings } = engines;
  const namespace = settings.TRANCHE_NAMESPACE;
  const taken_at = new Date(info.start_time_in_millis!).toISOString();
  const note = {
    kind: "restore" as const,
    backup: marker.snapshot,
    taken_at,
    started_at: marker.started_at,
    finished_at: null,
  };
  await writeNote(engines, note);
  // The indices of a snapshot are read one after another: some may have numbers above the ceiling in it.
  const ceiling = (await readCeiling({ client, controlIndex: names.control })) ?? 0;
  const floor = Math.max(ceiling, (info.end_time_in_millis ?? 0) * 1000) + HEADROOM_US;
  await raiseTicketClock({ client, controlIndex: names.control, redis, redisKey: ticketKey(namespace) }, floor);
  await announceEverything({ redis, namespace, tickets: engines.tickets() }, READ_MODELS);
  await deleteWhere(client, names.accounts, { term: { kind: "session" } });
  await deleteWhere(client, names.dashboard, { term: { kind: "link" } });
  await cancelRebuild(client, names, createRebuildStore(client, names), "restored from a snapshot");
  const missing = await completeEdges(client, names);
  if (missing > 0)
    ops.terminal.tell(`${shownNumber(missing)} edges and stakes were missing in the snapshot, and were added.`);
  const { count } = await client.count({ index: storesOf(names).map(({ index }) => index) });
  return { ...(await finish(ops, engines, note)), documents: count, already_there: 0 };
}
