import { connect } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PrivatePort, servePrivatePort } from "./private-port.ts";

let served: PrivatePort;
let host: string;

beforeAll(async () => {
  const settings = {
    TRANCHE_OPERATOR_HOST: "127.0.0.1",
    TRANCHE_OPERATOR_HOSTS: ["metrics.internal"],
    TRANCHE_PUBLIC_URL: undefined,
  };
  served = await servePrivatePort(0, settings, pino({ level: "silent" }), async (ctx) => {
    if (ctx.path === "/broken") throw new Error("secret of ours");
    ctx.body = "fine";
  });
  ({ host } = new URL(served.address));
});
afterAll(() => served.close());

/** Sends a request with these headers; resolves with what comes back. */
async function get(path: string, ...headers: string[]): Promise<string> {
  const { hostname, port } = new URL(served.address);
  const socket = connect(Number(port), hostname);
  socket.end([`GET ${path} HTTP/1.1`, ...headers, "Connection: close", "", ""].join("\r\n"));
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}

describe("a port for health and metrics", () => {
  test("answers its own Host, and one that the settings name", async () => {
    for (const own of [host, "metrics.internal:9090"])
      expect(await get("/", `Host: ${own}`)).toMatch(/^HTTP\/1.1 200 [^]*fine$/);
  });

  test("refuses other Hosts and pages of other origins, and says why", async () => {
    expect(await get("/", "Host: evil.example")).toMatch(/^HTTP\/1.1 403 [^]*TRANCHE_OPERATOR_HOSTS/);
    const foreign = await get("/", `Host: ${host}`, "Sec-Fetch-Site: same-site");
    expect(foreign).toMatch(/^HTTP\/1.1 403 [^]*a page of another origin/);
  });

  test("refuses two Hosts, even if one is its own", async () => {
    for (const hosts of [
      [host, "evil.example"],
      ["evil.example", host],
      [host, host],
    ])
      expect(await get("/", ...hosts.map((each) => `Host: ${each}`))).toMatch(/^HTTP\/1.1 400 [^]*"invalid_request"/);
  });

  test("says nothing of a failure", async () => {
    const text = await get("/broken", `Host: ${host}`);
    expect(text).toMatch(/^HTTP\/1.1 500 [^]*"internal_error"/);
    expect(text).not.toContain("secret");
  });
});
