import type { StatusView } from "../data.ts";
import { Badge } from "../parts/badge.tsx";
import { Facts } from "../parts/facts.tsx";
import { shownBytes, shownNumber } from "../parts/figures.ts";
import { UtcTime } from "../parts/utc-time.tsx";

const MOODS = { green: "good", yellow: "warning", red: "danger" } as const;

/** The reports of Elasticsearch and Redis about themselves. */
export function Engines({ status }: { status: StatusView }) {
  const { elasticsearch, redis } = status.health;
  const { disk, heap } = elasticsearch;
  const { persistence } = redis;
  return (
    <>
      <section class="card stack">
        <div class="head">
          <h2>Elasticsearch</h2>
          <Badge mood={MOODS[elasticsearch.status]}>{elasticsearch.status}</Badge>
        </div>
        <Facts
          of={[
            ["Version", elasticsearch.version],
            ["Address", <code>{status.elasticsearch}</code>],
            ["Nodes", shownNumber(elasticsearch.nodes)],
            ["Unassigned shards", shownNumber(elasticsearch.unassigned_shards)],
            ["Disk left", disk && `${shownBytes(disk.available_bytes)} of ${shownBytes(disk.total_bytes)}`],
            ["Heap used", heap && `${shownBytes(heap.used_bytes)} of ${shownBytes(heap.max_bytes)}`],
          ]}
        />
      </section>
      <section class="card stack">
        <div class="head">
          <h2>Redis</h2>
          <Badge mood={persistence.ok ? "good" : "danger"}>{persistence.ok ? "answers" : "can't write to disk"}</Badge>
        </div>
        <Facts
          of={[
            ["Version", redis.version],
            ["Address", <code>{status.redis}</code>],
            ["Memory used", shownBytes(redis.used_memory_bytes)],
            ["Memory limit", redis.max_memory_bytes === null ? "none" : shownBytes(redis.max_memory_bytes)],
            ["Eviction policy", redis.eviction_policy ?? "unknown"],
            ["Append-only file", persistence.append_only_file ? "on" : "off"],
            ["Last snapshot", <UtcTime of={persistence.last_snapshot_at} />],
          ]}
        />
      </section>
    </>
  );
}
