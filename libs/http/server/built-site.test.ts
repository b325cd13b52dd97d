import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync } from "node:zlib";
import Koa from "koa";
import { afterAll, expect, test, vi } from "vitest";
import { served } from "../../../tests/support/served.ts";
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
const { url, close } = await served(app.callback());
afterAll(() => {
  close();
  rmSync(folder, { recursive: true });
});

async function ask(path: string, headers: Record<string, string> = {}) {
  const [answer] = (await once(request(url + path, { headers }).end(), "response")) as [IncomingMessage];
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
