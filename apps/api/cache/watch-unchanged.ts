import type { Client } from "@elastic/elasticsearch";
import { type IndexNames, READ_MODELS, type ReadModel } from "@tranche/shared/engines/search/index-names";
import type { ChangeLog } from "./change-log.ts";

const LOOK_EVERY_MS = 20_000;

/**
 * What differs after a write, a refresh, a shard that starts or moves, or a swap. Writes are not visible without one of these. A flush,
 * such as that after five idle minutes, changes none of them, and shows nothing new.
 */
const VISIBLE_STATE = [
  "routing.node",
  // A shard that starts counts its refreshes anew. Then the primary has another term, or the replica another transaction log.
  "retention_leases.primary_term",
  "commit.user_data.translog_uuid",
  "seq_no.max_seq_no",
  "refresh.external_total",
].map((field) => `indices.*.shards.*.${field}`);

/**
 * Asks Elasticsearch every 20 s whether anything became visible in the live indices, and records in the change logs since when nothing
 * has. A change log knows only announced changes, so a cached value is trusted for a minute, or longer while nothing happens. A failed
 * question records nothing.
 */
export function watchUnchanged(
  client: Client,
  names: IndexNames,
  logs: ReadonlyMap<ReadModel, ChangeLog>,
  everyMs = LOOK_EVERY_MS,
): {
  /** How many documents the live index of a read model had at the last look; undefined before the first one. */
  documents: (model: ReadModel) => number | undefined;
  close: () => void;
} {
  const documents = new Map<ReadModel, number>();
  const look = async (model: ReadModel, log: ChangeLog) => {
    const askedAt = performance.now();
    const { _shards, _all, indices } = await client.indices.stats({
      index: names.role(model, "live"),
      metric: ["refresh", "docs"],
      level: "shards",
      filter_path: ["_shards.failed", "_all.primaries.docs.count", ...VISIBLE_STATE],
    });
    if (_shards.failed !== 0) return;
    documents.set(model, _all.primaries!.docs!.count);
    log.noteState(JSON.stringify(indices), { askedAt, answeredAt: performance.now() });
  };
  const lookAtAll = () => {
    for (const model of READ_MODELS) void look(model, logs.get(model)!).catch(() => {});
  };
  lookAtAll();
  const timer = setInterval(lookAtAll, everyMs);
  timer.unref();
  return { documents: (model) => documents.get(model), close: () => clearInterval(timer) };
}
