import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { assertReadable, type EngineData, noteVersion } from "./engine-data.ts";
import { localEngines } from "./local.ts";
import type { Reaper } from "./reaper.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tranche-data-"));
  // Root's engines run as another user, who has to be able to enter it.
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true }));

const redis = (version: string): EngineData => ({
  engine: "Redis",
  folder,
  version,
  remedy: (major) => `Install redis-server ${major} or later`,
});

test("data is opened by the major version that wrote it last, and by later ones", () => {
  for (const version of ["6.2.11", "6.0.16", "7.0.15", "10.0.1"]) {
    assertReadable(redis(version));
    noteVersion(redis(version));
  }
  for (const version of ["9.9.9", "7.0.15"]) {
    expect(() => assertReadable(redis(version))).toThrow(
      `The data in ${folder} was written by Redis 10.0.1, which Redis ${version} cannot read. ` +
        "Install redis-server 10 or later, or set TRANCHE_HOME to another folder.",
    );
  }
});

test("data without a note is that of Redis 7 or later when its append-only files are in a folder", () => {
  writeFileSync(join(folder, "appendonly.aof"), "");
  assertReadable(redis("6.2.11"));
  mkdirSync(join(folder, "appendonlydir"));
  assertReadable(redis("7.0.15"));
  expect(() => assertReadable(redis("6.2.11"))).toThrow(/was written by Redis 7, which Redis 6\.2\.11 cannot read/);
});

test("a start that would lose data ends before anything runs", async () => {
  const programs = join(folder, "bin");
  mkdirSync(programs);
  writeFileSync(join(programs, "redis-server"), "#!/bin/sh\necho 'Redis server v=6.2.11 sha=0'\n", { mode: 0o755 });
  mkdirSync(join(folder, "redis/appendonlydir"), { recursive: true });
  const context = {
    downloads: join(folder, "downloads"),
    data: folder,
    env: { ...process.env, PATH: `${programs}:${process.env["PATH"]}` },
    log: () => {},
    reaper: {} as Reaper,
  };
  const started = localEngines({ elasticsearch: false, redis: true }, context);
  await expect(started).rejects.toThrow(`The data in ${join(folder, "redis")} was written by Redis 7`);
  expect(existsSync(join(folder, "redis/engine-version"))).toBe(false);
});
