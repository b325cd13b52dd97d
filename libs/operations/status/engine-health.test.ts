import { expect, test } from "vitest";
import { healthOfInfo } from "./engine-health.ts";

const INFO = [
  "# Server",
  "redis_version:7.2.4",
  "# Memory",
  "used_memory:12345678",
  "maxmemory:0",
  "maxmemory_policy:noeviction",
  "# Persistence",
  "rdb_last_save_time:1750000000",
  "rdb_last_bgsave_status:ok",
  "aof_enabled:1",
  "aof_last_write_status:ok",
].join("\r\n");

test("memory and persistence of Redis are read from INFO", () => {
  expect(healthOfInfo(INFO)).toEqual({
    version: "7.2.4",
    used_memory_bytes: 12_345_678,
    max_memory_bytes: null,
    eviction_policy: "noeviction",
    persistence: { append_only_file: true, last_snapshot_at: "2025-06-15T15:06:40.000Z", ok: true },
  });
});

test("a snapshot or log that could not be written shows", () => {
  expect(healthOfInfo(INFO.replace("bgsave_status:ok", "bgsave_status:err")).persistence.ok).toBe(false);
  expect(healthOfInfo(INFO.replace("write_status:ok", "write_status:err")).persistence.ok).toBe(false);
});
