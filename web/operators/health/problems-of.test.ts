import { expect, test } from "vitest";
import type { StatusView } from "../../../apps/api/operators/routes/status.ts";
import { problemsOf } from "./problems-of.ts";

const FINE = {
  health: {
    elasticsearch: { status: "green", unassigned_shards: 0 },
    redis: { eviction_policy: "noeviction", persistence: { ok: true } },
  },
  queues: [{ queue: "ingest", workers: 1 }],
  dead_letters: { count: 0, failed_jobs: 0, last_at: null },
  outdated_indices: [],
  redis_losses: [],
  lost_ingests: [],
} as unknown as StatusView;
const texts = (change: object) => problemsOf({ ...FINE, ...change }).map(({ kind, text }) => `${kind}: ${text}`);

test("a healthy installation has no problem", () => {
  expect(problemsOf(FINE)).toEqual([]);
});

test("each trouble is named, the worst first", () => {
  expect(
    texts({
      health: {
        elasticsearch: { status: "red", unassigned_shards: 3 },
        redis: { eviction_policy: "allkeys-lru", persistence: { ok: false } },
      },
      queues: [{ queue: "ingest", workers: 0 }],
      dead_letters: { count: 2, failed_jobs: 1, last_at: null },
      outdated_indices: [{ index: "tranche-funding-1", why: ["mapping"] }],
      redis_losses: [{ id: "redis-loss-1", at: "2025-06-15T12:00:00.000Z", how: "emptied", runs: [] }],
    }),
  ).toEqual([
    "danger: Elasticsearch is red.",
    "danger: Redis could not write to its disk.",
    "danger: There are 3 dead letters.",
    "warning: No indexer is connected.",
    "warning: The eviction policy of Redis is allkeys-lru.",
    "warning: Live indices are from an earlier version.",
    "warning: At 2025-06-15T12:00:00.000Z Redis had lost its data.",
  ]);
  expect(texts({ dead_letters: { count: 1, failed_jobs: 0, last_at: null } })).toEqual([
    "danger: There is 1 dead letter.",
  ]);
});

test("a loss of Redis names the files to ingest again", () => {
  const runs = [{ id: "r", files: ["a.ndjson", "b.ndjson"], started_at: "", enqueued_at: null, enqueued: 0 }];
  const [problem] = problemsOf({
    ...FINE,
    redis_losses: [{ id: "redis-loss-1", at: "2025-06-15T12:00:00.000Z", how: "emptied", runs }],
  });
  expect(problem!.todo).toBe("Ingest again: a.ndjson, b.ndjson.");
});
