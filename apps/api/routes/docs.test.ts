import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Router } from "@koa/router";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import Koa from "koa";
import { afterAll, expect, test, vi } from "vitest";
import { served } from "../../../tests/support/served.ts";
import { addDocs } from "./docs.ts";
import { createEndpoints } from "../endpoints/endpoints.ts";

/** The sizes of what this process has compressed as a whole. */
const compressions = vi.hoisted((): number[] => []);
vi.mock(import("node:zlib"), async (actual) => {
  const zlib = await actual();
  const counted = <F extends (bytes: Buffer, ...rest: never[]) => void>(compress: F) =>
    ((bytes: Buffer, ...rest: never[]) => {
      compressions.push(bytes.length);
      compress(bytes, ...rest);
    }) as F;
  return { ...zlib, gzip: counted(zlib.gzip as never), brotliCompress: counted(zlib.brotliCompress as never) };
});

const folder = mkdtempSync(join(tmpdir(), "tranche-docs-"));
const DASHBOARD = "http://127.0.0.1:1/dashboard";

/** Stands for what `npm run build` writes. */
function build(): void {
  mkdirSync(join(folder, "assets"));
  mkdirSync(join(folder, "reference"));
  writeFileSync(join(folder, "index.html"), `<h1>Start</h1>${"<p>text</p>".repeat(200)}`);
  writeFileSync(join(folder, "not-found.html"), "<h1>There is no such page</h1>");
  writeFileSync(join(folder, "errors.html"), "<h1>Errors</h1>".repeat(200));
  writeFileSync(join(folder, "errors.md"), "# Errors, naïve ones too\n");
  writeFileSync(join(folder, "reference/listSignals.html"), "<h1>List signals</h1>");
  writeFileSync(
    join(folder, "assets/main-a1b2c3d4.js"),
    Array.from({ length: 60_000 }, (_, n) => `f(${n});`).join("\n"),
  );
}

const app = new Koa();
const router = new Router();
addDocs(router, createEndpoints(dealTypes()), {
  folder,
  publicUrl: undefined,
  publicPath: "/tranche",
  dashboardUrl: DASHBOARD,
});
app.silent = true;
app.use(router.routes());
const { url, close } = await served(app.callback());
afterAll(() => {
  close();
  rmSync(folder, { recursive: true });
});

async function ask(path: string, headers: Record<string, string> = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url + path, { headers }, resolve).on("error", reject);
  });
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

const SCRIPT = "/docs/assets/main-a1b2c3d4.js";
const unpacked = { br: brotliDecompressSync, gzip: gunzipSync };

test("before the docs are built, each page says how to build them; afterwards they are there without a restart", async () => {
  const { status, body, headers } = await ask("/docs/errors");
  expect([status, headers["cache-control"]]).toEqual([503, "no-store"]);
  expect(body.toString()).toContain("npm run build");
  build();
  expect((await ask("/docs/errors")).status).toBe(200);
});

test.each(["br", "gzip"] as const)("a script is compressed (%s) once and no more", async (encoding) => {
  const headers = { "accept-encoding": encoding };
  const plain = await ask(SCRIPT);
  compressions.length = 0;
  for (let n = 0; n < 5; n++) {
    const packed = await ask(SCRIPT, headers);
    expect(packed.headers["content-encoding"]).toBe(encoding);
    expect(unpacked[encoding](packed.body).equals(plain.body)).toBe(true);
  }
  expect(compressions).toEqual([plain.body.length]);
});

test("pages have addresses without an extension, and there is nothing else", async () => {
  const pages: Record<string, string> = {
    "/docs": "Start",
    "/docs/": "Start",
    "/docs/reference/listSignals": "List signals",
  };
  for (const [path, heading] of Object.entries(pages)) {
    const { status, headers, body } = await ask(path);
    expect([path, status, headers["content-type"]]).toEqual([path, 200, "text/html; charset=utf-8"]);
    expect(body.toString()).toContain(`<h1>${heading}</h1>`);
  }
  for (const path of ["/docs/other", "/docs/index.html", "/docs/../docs.ts", "/docs/%2e%2e/errors", "/docs/assets"]) {
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
  }
});

test("pages are there as Markdown, and language models find their list", async () => {
  const { status, headers, body } = await ask("/docs/errors.md");
  expect([status, headers["content-type"], body.toString()]).toEqual([
    200,
    "text/markdown; charset=utf-8",
    "# Errors, naïve ones too\n",
  ]);
  expect((await ask("/llms.txt")).headers.location).toBe("/tranche/docs/llms.txt");
});

test("a browser that opens a missing page gets a page that says so", async () => {
  const { status, body, headers } = await ask("/docs/other", { accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
  expect([status, headers["cache-control"]]).toEqual([404, "no-store"]);
  expect(body.toString()).toContain("There is no such page");
});

test("a page may not load or run anything of another host, or anything inline", async () => {
  const policy = String((await ask("/docs")).headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:/);
});

test("assets are kept for ever, because their names change with their content, and pages are asked for each time", async () => {
  expect((await ask(SCRIPT)).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect((await ask("/docs")).headers["cache-control"]).toBe("no-cache");
});

test("the docs lead to the dashboard, wherever that is", async () => {
  const { status, headers } = await ask("/dashboard");
  expect([status, headers.location]).toEqual([302, DASHBOARD]);
  expect((await ask("/")).headers.location).toBe("/tranche/docs");
});

test.each(["/docs", "/docs/errors", "/openapi.json", SCRIPT])("a caller that already has %s gets 304", async (path) => {
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

test("no shared cache keeps the document", async () => {
  expect((await ask("/openapi.json")).headers["cache-control"]).toBe("private, no-cache");
});

test("it is compressed once for a Host that is requested repeatedly, and not for a Host that is sent once", async () => {
  compressions.length = 0;
  const encodingFor = async (host: string) => {
    const { headers, body } = await ask("/openapi.json", { host, "accept-encoding": "gzip" });
    const text = headers["content-encoding"] === "gzip" ? gunzipSync(body).toString() : body.toString();
    expect((JSON.parse(text) as { servers: unknown }).servers).toEqual([{ url: `http://${host}` }]);
    return headers["content-encoding"];
  };
  expect([await encodingFor("api.example"), await encodingFor("api.example")]).toEqual([undefined, "gzip"]);
  for (let n = 0; n < 50; n++) {
    expect(await encodingFor(`host-${n}.example`)).toBeUndefined();
    if (n % 5 === 0) expect(await encodingFor("api.example")).toBe("gzip");
  }
  expect(compressions).toHaveLength(1);
});
