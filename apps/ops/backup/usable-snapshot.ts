import type { estypes } from "@elastic/elasticsearch";
import { formatProblem } from "@tranche/shared/engines/search/installation-format";
import type { Engines } from "../context/connect.ts";
import { Failure } from "../terminal/failure.ts";
import { FORMAT } from "./format.ts";
import { snapshotIn, type SnapshotMeta } from "./take-snapshot.ts";

/** Throws a Failure unless the snapshot is whole, of this namespace, and of a version that this one can read. */
export async function usableSnapshot(
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
  const notes = info.metadata?.["tranche"] as SnapshotMeta | undefined;
  if (notes && notes.format > FORMAT) {
    throw new Failure(
      `Snapshot ${snapshot} was made by a newer version (Tranche ${notes.version}). Restore it with that version or a later one.`,
    );
  }
  const problem = notes && formatProblem(`Snapshot ${snapshot}`, notes.installation);
  if (problem !== undefined) throw new Failure(problem);
  if (notes && notes.namespace !== settings.TRANCHE_NAMESPACE) {
    throw new Failure(
      `Snapshot ${snapshot} is of namespace ${notes.namespace}, and a snapshot keeps its names. Set TRANCHE_NAMESPACE to ${notes.namespace}, or restore a file of \`ops backup FILE\`, which fits any namespace.`,
    );
  }
  const needed = [names.control, names.accounts, names.record("company")];
  const missing = needed.filter((store) => !info.indices!.some((index) => index === store));
  if (missing.length > 0) throw new Failure(`Snapshot ${snapshot} does not have ${missing.join(", ")}.`);
  return info;
}
