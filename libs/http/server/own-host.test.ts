import { describe, expect, test } from "vitest";
import { isForeign } from "./same-origin.ts";
import { isOwnHost } from "./own-host.ts";

describe("a Host header is our own", () => {
  const loopback = { listening: "127.0.0.1", local: "127.0.0.1", named: ["metrics.internal", "ops.internal:9000"] };
  test.each([
    "127.0.0.1:3001",
    "localhost:3001",
    "LOCALHOST",
    "[::1]:3001",
    "localhost:9001",
    "Metrics.Internal:80",
    "ops.internal:9000",
  ])("on loopback: %s", (host) => expect(isOwnHost(host, loopback)).toBe(true));
  test.each([
    undefined,
    "",
    "evil.example",
    "evil.example:3001",
    "localhost.evil.example",
    "localhost@evil.example",
    "evil.example/localhost",
    "127.0.0.1.evil.example",
    "127.0.0.1:3001:3001",
    "localhost:x",
    "ops.internal:9001",
    "0.0.0.0",
    "10.1.2.3",
    "[::1",
  ])("not: %s", (host) => expect(isOwnHost(host, loopback)).toBe(false));

  test("on every interface: the address that was called, and this machine's own names", () => {
    const everywhere = { listening: "0.0.0.0", local: "::ffff:10.1.2.3", named: [] };
    expect(["10.1.2.3:3001", "localhost", "10.1.2.4"].map((host) => isOwnHost(host, everywhere))).toEqual([
      true,
      true,
      false,
    ]);
    const six = { listening: "::", local: "fd00::7", named: [] };
    expect(["[fd00::7]:3001", "[FD00::7]", "[fd00::8]"].map((host) => isOwnHost(host, six))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("on one interface: its address or name, and not localhost", () => {
    const one = { listening: "ops.lan", local: "10.1.2.3", named: [] };
    expect(["ops.lan:3001", "10.1.2.3", "localhost"].map((host) => isOwnHost(host, one))).toEqual([true, true, false]);
  });
});

describe("a request of a foreign page", () => {
  const host = "127.0.0.1:3001";
  test.each([
    [{ host }, false],
    [{ host, "sec-fetch-site": "same-origin", origin: `http://${host}` }, false],
    [{ host, "sec-fetch-site": "none" }, false],
    [{ host: "Ops.Internal", origin: "https://ops.internal" }, false],
    [{ host, "sec-fetch-site": "cross-site" }, true],
    [{ host, "sec-fetch-site": "same-site" }, true],
    [{ host, "sec-fetch-site": "same-origin, none" }, true],
    [{ host, "sec-fetch-site": "" }, true],
    [{ host, origin: "http://127.0.0.1:3000" }, true],
    [{ host, origin: "http://evil.example" }, true],
    [{ host, origin: "null" }, true],
    [{ host, origin: "" }, true],
    [{ origin: "http://evil.example" }, true],
  ])("%j: %s", (headers, foreign) => {
    expect(isForeign(headers)).toBe(foreign);
  });
});
