import type { Client } from "@elastic/elasticsearch";
import { expect, test, vi } from "vitest";
import { refreshed } from "./refreshed.ts";

/** An index with one primary shard, which is away for the first looks, and its replicas. The drill long-waits shows that Elasticsearch answers so. */
function indexOf({ awayFor = 0, replicas = 0, placed = 0 }) {
  let away = awayFor;
  const active = () => (away > 0 ? 0 : 1 + placed);
  const client = {
    indices: {
      refresh: vi.fn(async () => ({ _shards: { total: 1 + replicas, successful: active(), failed: 0 } })),
    },
    cluster: {
      health: vi.fn(async () => {
        const shards = { active_primary_shards: Math.min(1, active()), number_of_shards: 1 };
        const answer = { active_shards: active(), indices: { rounds: shards } };
        away--;
        return answer;
      }),
    },
  };
  return { client: client as unknown as Client, ...client };
}

test("a refresh without its primary, which Elasticsearch calls a success, is repeated until the primary is there", async () => {
  const { client, indices, cluster } = indexOf({ awayFor: 2 });
  const reasons: string[] = [];
  await refreshed(client, "rounds", ({ message }) => reasons.push(message));
  const reason = "a primary shard of rounds is not there, so it can't be refreshed";
  expect(reasons).toEqual([reason, reason]);
  expect([indices.refresh.mock.calls.length, cluster.health.mock.calls.length]).toEqual([3, 2]);
});

test("missing replicas are no reason to wait, and those that are there take part", async () => {
  const { client, indices } = indexOf({ replicas: 2, placed: 1 });
  await refreshed(client, "rounds", ({ message }) => expect.unreachable(message));
  expect(indices.refresh).toHaveBeenCalledTimes(2);
});
