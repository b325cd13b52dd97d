import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync } from "node:zlib";
import Koa from "koa";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readBuiltSite } from "./built-site.ts";

/** How often this process has compressed something. */
const compressions = vi.hoisted(() => ({ count: 0 }));
vi.mock(import("node:zlib"), async (actual) => {
  const zlib = await actual();
  const brotliCompress = ((...args: never[]) => {
    compressions.count++;
    (zlib.brotliCompress as (...args: never[]) => void)(...args);
  }) as typeof zlib.brotliCompress;
  return { ...zlib, brotliCompress };
});

const folder = mkdtempSync(join(tmpdir(), "tranche-site-"));
const SCRIPT = "f();\n".repeat(1000);
mkdirSync(join(folder, "assets"));
writeFileSync(join(folder, "index.html"), "<h1>Page</h1>".repeat(200));
writeFileSync(join(folder, "assets/main.js"), SCRIPT);

const app = new Koa();
const site = readBuiltSite(folder);
app.use(async (ctx) => {
  if (!(await site.serve(ctx, ctx.path.slice(1)))) await site.index(ctx);
});
const listener = app.callback();
const server = createServer((incoming, response) => void listener(incoming, response));
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

async function ask(path: string, headers: Record<string, string> = {}) {
  const { port } = server.address() as AddressInfo;
  const [answer] = (await once(request({ port, host: "127.0.0.1", path, headers }).end(), "response")) as [
    IncomingMessage,
  ];
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

test.each(["/assets/main.js", "/some/page"])("%s is compressed once for all who ask for it", async (path) => {
  compressions.count = 0;
  const plain = await ask(path);
  expect([plain.headers["content-encoding"], plain.headers.vary]).toEqual([undefined, "Accept-Encoding"]);
  for (let n = 0; n < 5; n++) {
    const { headers, body } = await ask(path, { "accept-encoding": "br" });
    expect(headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(body)).toEqual(plain.body);
  }
  expect(compressions.count).toBe(1);
});

test("a page that the browser has already is not sent again", async () => {
  const { headers } = await ask("/");
  expect((await ask("/", { "if-none-match": String(headers.etag) })).status).toBe(304);
});
