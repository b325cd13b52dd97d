import { once } from "node:events";
import { get, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Router } from "@koa/router";
import { dealTypes } from "@tranche/shared/vocabulary/deal-types";
import Koa from "koa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDocs } from "./docs.ts";
import { createEndpoints } from "../endpoints/endpoints.ts";

let server: Server;

beforeAll(async () => {
  const app = new Koa();
  const router = new Router();
  addDocs(router, createEndpoints(dealTypes()), undefined);
  app.use(router.routes());
  server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

async function ask(path: string, headers: Record<string, string> = {}) {
  const { port } = server.address() as AddressInfo;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: "127.0.0.1", path, headers }, resolve).on("error", reject);
  });
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

/** CPU in ms that this process takes for something, in all its threads. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const BUNDLE = "/docs/assets/swagger-ui-bundle.js";
const unpacked = { br: brotliDecompressSync, gzip: gunzipSync };

test.each(["br", "gzip"] as const)("the reference is compressed (%s) once and no more", async (encoding) => {
  const headers = { "accept-encoding": encoding };
  const plain = await ask(BUNDLE);
  const first = await cpuOf(() => ask(BUNDLE, headers));
  let last = plain;
  const next = await cpuOf(async () => {
    for (let n = 0; n < 5; n++) last = await ask(BUNDLE, headers);
  });
  expect(last.headers["content-encoding"]).toBe(encoding);
  expect(unpacked[encoding](last.body).equals(plain.body)).toBe(true);
  expect(next).toBeLessThan(first);
});

test("assets are kept for ever under the addresses that the page has for them, and for minutes under others", async () => {
  const page = (await ask("/docs")).body.toString();
  const addresses = [...page.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, address]) => address!);
  expect(addresses).toHaveLength(4);
  for (const address of addresses) {
    const { status, headers } = await ask(address);
    expect([status, headers["cache-control"]]).toEqual([200, "public, max-age=31536000, immutable"]);
    const [path] = address.split("?");
    for (const other of [path!, `${path}?v=of-another-release`]) {
      expect((await ask(other)).headers["cache-control"]).toBe("public, max-age=300");
    }
  }
});

test.each(["/docs", "/docs/errors", "/openapi.json", BUNDLE])("who has %s already gets 304", async (path) => {
  const { headers } = await ask(path);
  const again = await ask(path, { "if-none-match": `"other", ${headers.etag}`, "accept-encoding": "br" });
  expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
  expect((await ask(path, { "if-none-match": '"other"' })).status).toBe(200);
});

test("an Accept-Encoding of thousands of items is not taken apart", async () => {
  const answer = await ask("/docs/errors", { "accept-encoding": "br;q=0.1,".repeat(1000) });
  expect([answer.status, answer.headers["content-encoding"]]).toEqual([200, undefined]);
});

const serverFor = async (host: string) => {
  const { body } = await ask("/openapi.json", { host });
  return (JSON.parse(body.toString()) as { servers: { url: string }[] }).servers;
};

test("the document's server is the address that the request came to, or none when that is not an address", async () => {
  expect(await serverFor("api.example.com")).toEqual([{ url: "http://api.example.com" }]);
  expect(await serverFor("[::1]:3000")).toEqual([{ url: "http://[::1]:3000" }]);
  for (const host of ['a"b', "a/b", "a b"]) expect(await serverFor(host)).toEqual([{ url: "/" }]);
});

test("no shared cache keeps the document, and only a few addresses have it compressed", async () => {
  expect((await ask("/openapi.json")).headers["cache-control"]).toBe("private, no-cache");
  const encodings: (string | undefined)[] = [];
  for (let n = 0; n < 10; n++) {
    const { headers } = await ask("/openapi.json", { host: `host-${n}.example`, "accept-encoding": "gzip" });
    encodings.push(headers["content-encoding"]);
  }
  expect(encodings[0]).toBe("gzip");
  expect(encodings.at(-1)).toBeUndefined();
});
