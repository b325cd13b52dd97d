import { connect } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PrivatePort, servePrivatePort } from "./private-port.ts";

let served: PrivatePort;
let host: string;

beforeAll(async () => {
  const settings = { port: 0, publicPath: "", log: pino({ level: "silent" }), listening: "127.0.0.1", named: [] };
  served = await servePrivatePort({ ...settings, token: undefined }, async (ctx) => {
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
  test("answers its own Host", async () => {
    expect(await get("/", `Host: ${host}`)).toMatch(/^HTTP\/1.1 200 [^]*fine$/);
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
