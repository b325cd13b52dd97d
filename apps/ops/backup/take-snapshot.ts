import { setTimeout as pause } from "node:timers/promises";
import type { Client, estypes } from "@elastic/elasticsearch";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { INSTALLATION_FORMAT } from "@tranche/shared/engines/search/installation-format";
import { retryForever } from "@tranche/shared/engines/search/retry-forever";
import { auditedHere } from "../context/operator.ts";
import type { Engines } from "../context/connect.ts";
import type { Ops } from "../context/ops.ts";
import { Failure, Interrupted } from "../terminal/failure.ts";
import { counted, shownDuration } from "@tranche/shared/domain/text/numbers";
import { createProgress } from "../terminal/progress.ts";
import { FORMAT } from "./format.ts";
import { repositoryFor } from "./repository.ts";
import { storesOf } from "./stores.ts";

/** The metadata of a snapshot. */
export type SnapshotMeta = { format: number; installation: number; version: string; namespace: string };

/**
 * `ops backup`: takes a snapshot of the stores and the live read models. Indices that are being built, or kept for a rollback, are left
 * out: a restore derives every document again.
 */
export async function takeSnapshot(ops: Ops, asked: string | undefined): Promise<void> {
  const engines = await ops.engines();
  const { client, settings } = engines;
  const repository = await repositoryFor(client, asked);
  const namespace = settings.TRANCHE_NAMESPACE;
  const snapshot = `${namespace}-${new Date().toISOString().toLowerCase().replace(/[-:.]/g, "")}`;
  const indices = await indicesOf(engines);
  const started = Date.now();
  await auditedHere(ops, "backup", { repository, snapshot }, async () => {
    const tranche: SnapshotMeta = {
      format: FORMAT,
      installation: INSTALLATION_FORMAT,
      version: ops.version,
      namespace,
    };
    await client.snapshot.create({
      repository,
      snapshot,
      indices,
      include_global_state: false,
      feature_states: ["none"],
      metadata: { tranche },
      wait_for_completion: false,
    });
    await follow(ops, engines, repository, snapshot);
  });
  const text =
    `Snapshot ${snapshot} of ${counted(indices.length, "index", "indices")} is in repository ${repository}` +
    ` (${shownDuration((Date.now() - started) / 1000)}).\n` +
    `Back up Redis after it, if at all. To restore: \`ops restore --snapshot ${snapshot}\`.`;
  ops.terminal.show({ repository, snapshot, indices }, text);
}

/** The indices of the installation by their own names, as a snapshot needs them. */
async function indicesOf({ client, names }: Engines): Promise<string[]> {
  const roles = await readIndexRoles(client, names);
  const live = READ_MODELS.flatMap((model) => roles[model].live ?? []);
  return [...storesOf(names).map(({ index }) => index), ...live].toSorted();
}

async function follow(ops: Ops, { client, timing }: Engines, repository: string, snapshot: string): Promise<void> {
  const progress = createProgress(ops.terminal);
  const interrupted = ops.onInterrupt();
  progress.begin("taking a snapshot", 100);
  try {
    for (;;) {
      const info = await snapshotIn(client, repository, snapshot);
      const state = info?.state;
      if (state === "SUCCESS") return;
      if (state !== "IN_PROGRESS") {
        const reasons = (info?.failures ?? []).slice(0, 3).map(({ index, reason }) => `${index}: ${reason}`);
        throw new Failure(
          `Snapshot ${snapshot} is ${state ?? "gone"}, and can't be used. ${reasons.join("; ")} Elasticsearch's log says more. Delete it, and run the backup again.`,
        );
      }
      if (interrupted.aborted) {
        throw new Interrupted(
          `Interrupted. Elasticsearch continues with snapshot ${snapshot}; GET _snapshot/${repository}/${snapshot} shows its state.`,
        );
      }
      await pause(timing.commandLook);
    }
  } finally {
    progress.stop();
  }
}

/** A snapshot with all that is known of it; undefined when there is none of that name. */
export async function snapshotIn(
  client: Client,
  repository: string,
  snapshot: string,
): Promise<estypes.SnapshotSnapshotInfo | undefined> {
  const { snapshots } = await retryForever(() =>
    client.snapshot.get({ repository, snapshot, ignore_unavailable: true }),
  );
  return snapshots?.[0];
}
