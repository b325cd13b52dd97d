import { describe, expect, test } from "vitest";
import { parseRedisAddress, shownRedisAddress } from "./redis-address.ts";

describe("one server", () => {
  test.each(["redis://127.0.0.1:6379", "rediss://user:p%40ss@redis.internal/3", "redis://localhost"])("%s", (url) => {
    expect(parseRedisAddress(url)).toEqual({ kind: "single", url });
  });
});

test("Sentinels, with the master's name, its credentials and theirs", () => {
  expect(
    parseRedisAddress(
      "redis-sentinel://app:p%40ss@s1:26379,[::1]:26380/2?sentinel_user=watch&sentinel_password=x%26y#main",
    ),
  ).toEqual({
    kind: "sentinel",
    sentinels: [
      { host: "s1", port: 26_379 },
      { host: "::1", port: 26_380 },
    ],
    master: "main",
    db: 2,
    tls: false,
    username: "app",
    password: "p@ss",
    sentinelCredentials: { username: "watch", password: "x&y" },
  });
});

test("the nodes of a Cluster, with TLS and a password only", () => {
  expect(parseRedisAddress("rediss-cluster://:secret@a.internal:7000,b.internal:7001")).toEqual({
    kind: "cluster",
    nodes: [
      { host: "a.internal", port: 7000 },
      { host: "b.internal", port: 7001 },
    ],
    tls: true,
    password: "secret",
  });
});

describe("an address that cannot be used says what is wrong", () => {
  test.each([
    ["redis://a:1,rediss://b:2", "more than one scheme"],
    ["redis-cluster://a:1,redis://b:2", "more than one scheme"],
    ["redis://a:1,b:2", "redis-cluster://, Sentinels need redis-sentinel://"],
    ["redis-sentinel://a:26379", "the name of the master is missing"],
    ["redis-sentinel://a#main", "address 1 is not a host with a port"],
    ["redis-sentinel://a:26379/x#main", "no database number"],
    ["redis-sentinel://a:26379?tls=true#main", "an option after '?' is not known"],
    ["redis-cluster://a:1,b", "address 2 is not a host with a port"],
    ["redis-cluster://a:1,b:70000", "address 2 is not a host with a port"],
    ["redis-cluster://a:1/0", "a Cluster has no database numbers"],
    ["redis-cluster://a:1?family=6", "neither options"],
    ["redis-cluster://u:p@a:1,u:p@b:2", "user and password are written once"],
    ["redis-cluster://u:100%@a:1", "percent-encoding"],
    ["redis+sentinel://a:1/main", "'redis+sentinel://' is not a scheme of Redis"],
    ["http://a:1", "'http://' is not a scheme of Redis"],
    ["localhost:6379", "expected an address such as redis://host:6379"],
    ["redis://", "expected an address such as redis://host:6379"],
  ])("%s", (url, text) => {
    expect(() => parseRedisAddress(url)).toThrow(text);
  });

  test("and does not repeat a password", () => {
    for (const url of [
      "redis-cluster://u:topsecret@a",
      "redis-cluster://u:top#topsecret@a:1",
      "redis-sentinel://u:topsecret/x@a:1#main",
      "redis-sentinel://u:topsecret@a:1",
      "redis://u:topsecret@a:1,b:2",
    ]) {
      expect(() => parseRedisAddress(url)).toThrow(expect.not.stringContaining("topsecret"));
    }
  });
});

test("an address is shown without credentials", () => {
  expect(shownRedisAddress("redis://user:secret@a:6379/1")).toBe("redis://a:6379/1");
  expect(shownRedisAddress("redis-sentinel://u:p@a:1,b:2/0?sentinel_password=q#main")).toBe(
    "redis-sentinel://a:1,b:2/0#main",
  );
  expect(shownRedisAddress("rediss-cluster://:secret@a:1,b:2")).toBe("rediss-cluster://a:1,b:2");
});
