import { expect, test } from "vitest";
import { embeddedRedisName, redisIsNewEnough, redisVersion } from "./redis-server.ts";

test("the version is read from what redis-server prints", () => {
  expect(
    redisVersion("Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64 build=d81b8ff71cfb150e"),
  ).toBe("7.0.15");
  expect(redisVersion("sh: redis-server: not found")).toBeUndefined();
});

test("versions compare by number, not by letter", () => {
  expect(["6.2.0", "6.2.11", "6.10.0", "7.0.15", "10.0.1"].map(redisIsNewEnough)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(["6.0.16", "5.0.14", "6.1.99"].map(redisIsNewEnough)).toEqual([false, false, false]);
});

test("there is a ready-made server for Linux and macOS only", () => {
  expect(embeddedRedisName("linux", "x64")).toBe("redis-server-6.2.6-v5-linux-amd64");
  expect(embeddedRedisName("darwin", "arm64")).toBe("redis-server-6.2.6-v5-darwin-arm64");
  expect(embeddedRedisName("linux", "riscv64")).toBeUndefined();
  expect(embeddedRedisName("win32", "x64")).toBeUndefined();
});
