import type { Client } from "@elastic/elasticsearch";
import { searchFailureKind, isEngineError } from "@tranche/shared/engines/search/client";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";

/** Elasticsearch's report about itself; figures are null where its credentials do not allow asking. */
type ElasticsearchHealth = {
  version: string | null;
  status: "green" | "yellow" | "red";
  nodes: number;
  unassigned_shards: number;
  /** The node with the least space left. */
  disk: { available_bytes: number; total_bytes: number } | null;
  /** The node with the fullest heap. */
  heap: { used_bytes: number; max_bytes: number } | null;
};

type RedisHealth = {
  version: string | null;
  used_memory_bytes: number;
  /** null: no limit. */
  max_memory_bytes: number | null;
  /** Anything but `noeviction` may delete queued jobs once the limit is reached. */
  eviction_policy: string | null;
  persistence: {
    append_only_file: boolean;
    last_snapshot_at: string | null;
    /** Whether the last writes of both to disk succeeded. */
    ok: boolean;
  };
};

export async function elasticsearchHealth(client: Client): Promise<ElasticsearchHealth> {
  const [health, version, nodes] = await Promise.all([
    client.cluster.health(),
    // Not every distribution has the root endpoint, which would also return the version.
    ifAllowed(async () => versionsOf(Object.values((await client.nodes.info({ metric: "process" })).nodes))),
    ifAllowed(async () => Object.values((await client.nodes.stats({ metric: ["fs", "jvm"] })).nodes)),
  ]);
  const disks = (nodes ?? []).flatMap(({ fs }) => {
    const { available_in_bytes, total_in_bytes } = fs?.total ?? {};
    return available_in_bytes === undefined || !total_in_bytes
      ? []
      : [{ available_bytes: available_in_bytes, total_bytes: total_in_bytes }];
  });
  const heaps = (nodes ?? []).flatMap(({ jvm }) => {
    const { heap_used_in_bytes, heap_max_in_bytes } = jvm?.mem ?? {};
    return heap_used_in_bytes === undefined || !heap_max_in_bytes
      ? []
      : [{ used_bytes: heap_used_in_bytes, max_bytes: heap_max_in_bytes }];
  });
  return {
    version,
    status: health.status.toLowerCase() as ElasticsearchHealth["status"],
    nodes: health.number_of_nodes,
    unassigned_shards: health.unassigned_shards,
    disk: disks.toSorted((a, b) => a.available_bytes / a.total_bytes - b.available_bytes / b.total_bytes)[0] ?? null,
    heap: heaps.toSorted((a, b) => b.used_bytes / b.max_bytes - a.used_bytes / a.max_bytes)[0] ?? null,
  };
}

/** Two versions during an upgrade: `9.4.1, 9.5.0`. */
function versionsOf(nodes: readonly { version: string }[]): string {
  return [...new Set(nodes.map(({ version }) => version))].toSorted().join(", ");
}

async function ifAllowed<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isEngineError(error as Error) && searchFailureKind(error) === "refused") return null;
    throw error;
  }
}

export async function redisHealth(redis: RedisClient): Promise<RedisHealth> {
  return healthOfInfo(await redis.info());
}

/** Reads the answer of INFO: lines of `name:value` under headings. */
export function healthOfInfo(info: string): RedisHealth {
  const fields = new Map(
    info.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(":");
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)] as const] : [];
    }),
  );
  const number = (name: string) => Number(fields.get(name) ?? 0);
  const savedAt = number("rdb_last_save_time");
  const failed = ["rdb_last_bgsave_status", "aof_last_bgrewrite_status", "aof_last_write_status"].some(
    (name) => fields.get(name) === "err",
  );
  return {
    version: fields.get("redis_version") ?? null,
    used_memory_bytes: number("used_memory"),
    max_memory_bytes: number("maxmemory") || null,
    eviction_policy: fields.get("maxmemory_policy") ?? null,
    persistence: {
      append_only_file: fields.get("aof_enabled") === "1",
      last_snapshot_at: savedAt > 0 ? new Date(savedAt * 1000).toISOString() : null,
      ok: !failed,
    },
  };
}
