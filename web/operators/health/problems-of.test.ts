import { expect, test } from "vitest";
import type { StatusView } from "../data.ts";
import { problemsOf } from "./problems-of.ts";

const FINE = {
  health: {
    elasticsearch: { status: "green", unassigned_shards: 0 },
    redis: { eviction_policy: "noeviction", persistence: { ok: true } },
  },
  queues: [{ queue: "ingest", workers: 1 }],
  dead_letters: { count: 0, failed_jobs: 0, last_at: null },
  outdated_indices: [],
  closed_indices: [],
  redis_losses: [],
  lost_ingests: [],
  lost_rollback: null,
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
      closed_indices: [{ index: "tranche-round", why: "disk" }],
      redis_losses: [{ id: "redis-loss-1", at: "2025-06-15T12:00:00.000Z", how: "emptied", runs: [] }],
    }),
  ).toEqual([
    "danger: Elasticsearch is red.",
    "danger: Redis could not write to its disk.",
    "danger: There are 3 dead letters.",
    "warning: No indexer is connected.",
    "warning: The eviction policy of Redis is allkeys-lru.",
    "warning: Live indices are from an earlier version.",
    "warning: tranche-round takes no writes.",
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

test("what an ingest lost is named by file and line, and so is a rollback that is no longer possible", () => {
  const lost = [{ file: "a.ndjson", lines: [3, 9] }, { file: "b.json", elements: [1, 2] }, { file: "c.csv" }];
  const shown = problemsOf({
    ...FINE,
    lost_ingests: [{ id: "r", files: [], started_at: "2025-06-15T12:00:00.000Z", at: "", lost }],
    lost_rollback: { at: "", reason: "a shard was away", live: [] },
    outdated_indices: [{ index: "tranche-funding-1", why: ["newer"] }],
  } as unknown as StatusView);
  expect(shown.map(({ kind, text, todo }) => `${kind}: ${text} ${todo}`)).toEqual([
    "danger: The ingest of 2025-06-15T12:00:00.000Z lost writes. Ingest again: a.ndjson, lines 3 to 9, b.json, elements 1 to 2, c.csv.",
    "warning: Live indices are of a later version. Indexers of this version take no jobs: update them, or roll back.",
    "warning: A rollback is no longer possible. The previous indices were given up, because a shard was away.",
  ]);
});
