import { once } from "node:events";
import { connect } from "node:net";
import Koa from "koa";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorResponses } from "@tranche/http/errors/error-responses";
import type { Refuse } from "../admission/refuse.ts";
import { requestIds } from "@tranche/http/server/request-id";
import { closeServer, createHttpServer, listen } from "@tranche/http/server/server";
import { unrouted } from "../routes/unrouted.ts";
import { wellFormed } from "./well-formed.ts";

const app = new Koa();
app.use(requestIds());
app.use(errorResponses(pino({ level: "silent" }), "/tranche"));
const refuse: Refuse = (_, refusal) => Promise.reject(refusal);
app.use(wellFormed(refuse));
app.use((ctx, next) => {
  if (ctx.path === "/broken") throw new Error("secret of ours");
  if (ctx.path !== "/") return next();
  ctx.body = "fine";
});
app.use(unrouted(refuse));
const server = createHttpServer(app.callback(), { publicPath: "/tranche" });
let port: number;

beforeAll(async () => {
  port = Number(new URL(await listen(server, 0, "127.0.0.1")).port);
});
afterAll(() => closeServer(server, 100));

/** Sends bytes as they are; resolves with status, headers and body of what comes back. */
async function send(bytes: string): Promise<{ status: number; head: string; body: string }> {
  const socket = connect(port, "127.0.0.1");
  socket.end(bytes, "latin1");
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head, body };
}
const get = (path: string, headers = "") =>
  send(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);
const codeOf = (body: string) => (JSON.parse(body) as { error: { code: string } }).error.code;

describe("a request", () => {
  test("of allowed size is answered", async () => {
    expect(await get(`/?${"x".repeat(8190)}`, `A: ${"x".repeat(16_000)}\r\n`)).toMatchObject({
      status: 200,
      body: "fine",
    });
  });

  test.each([8192, 40_000])("with an address of more than 8 KiB (%i) gets 414", async (length) => {
    const { status, body } = await get(`/${"x".repeat(length)}`);
    expect([status, codeOf(body)]).toEqual([414, "uri_too_long"]);
  });

  test.each([16_384, 100_000])("with more than 16 KiB of headers (%i) gets 431", async (length) => {
    const { status, body } = await get("/", `A: ${"x".repeat(length)}\r\n`);
    expect([status, codeOf(body)]).toEqual([431, "header_fields_too_large"]);
  });

  test("that is no HTTP gets 400 in the shape of all errors", async () => {
    const { status, head, body } = await send("hello\r\n\r\n");
    expect([status, codeOf(body)]).toEqual([400, "invalid_request"]);
    const { error } = JSON.parse(body) as { error: { request_id: string; doc_url: string } };
    expect(head).toContain(error.request_id);
    expect(error.doc_url).toBe("/tranche/docs/errors#invalid_request");
  });

  test("with letters that are not escaped gets a hint how to escape them", async () => {
    expect((await send("GET /?city=Z\xc3\xbcrich HTTP/1.1\r\nHost: x\r\n\r\n")).body).toContain("Z%C3%BCrich");
  });

  test("for nothing gets 404, with the id that the caller gave", async () => {
    const { status, head, body } = await get("/nothing", "X-Request-Id: mine-1\r\n");
    expect([status, codeOf(body)]).toEqual([404, "not_found"]);
    expect(head).toContain("X-Request-Id: mine-1");
    expect(body).toContain('"doc_url":"/tranche/docs/errors#not_found","request_id":"mine-1"');
  });

  test("a request id with unsafe characters is replaced", async () => {
    expect((await get("/", "X-Request-Id: a b\r\n")).head).toMatch(/X-Request-Id: req_[0-9a-f]{32}/);
  });

  test("that fails here gets 500 without a word of why", async () => {
    const { status, body } = await get("/broken");
    expect([status, codeOf(body)]).toEqual([500, "internal_error"]);
    expect(body).not.toContain("secret");
  });
});

describe("a request that is not well-formed gets 400 in the shape of all errors:", () => {
  test.each([
    ["without Host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "no Host header"],
    ["with two Hosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n", "more than one Host"],
    ["with an unknown expectation", "GET / HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nConnection: close\r\n\r\n", "Expect"],
    ["without a version", "GET /\r\n\r\n", "HTTP/0.9 is not supported"],
    ["of HTTP/2.0", "GET / HTTP/2.0\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP"],
    ["with a fragment", "GET /?a=1#b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "fragment"],
  ])("one %s", async (_, bytes, text) => {
    const { status, head, body } = await send(bytes);
    expect([status, codeOf(body)]).toEqual([400, "invalid_request"]);
    expect(body).toContain(text);
    expect(head).toContain("X-Request-Id: req_");
  });

  test("HTTP/1.0 needs no Host", async () => {
    expect(await send("GET / HTTP/1.0\r\n\r\n")).toMatchObject({ status: 200, body: "fine" });
  });
});

describe("a body", () => {
  const KIB = 1024;
  /** Sends a body of unlimited length until the connection ends; returns how much of it was taken, and the reply. */
  async function pour(head: string, chunk: Buffer): Promise<{ taken: number; text: string }> {
    const socket = connect(port, "127.0.0.1");
    let [taken, text, ended] = [0, "", false];
    socket.on("data", (data) => (text += String(data)));
    socket.on("error", () => (ended = true)).on("close", () => (ended = true));
    socket.write(head);
    while (!ended && taken < 64 * KIB * KIB) {
      const free = socket.write(chunk);
      taken += chunk.length;
      if (!free) await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => (ended = true));
      else await new Promise(setImmediate);
    }
    socket.destroy();
    return { taken, text };
  }

  test("that is long or has no length ends the connection instead of being read", async () => {
    const chunk = Buffer.from(`10000\r\n${"x".repeat(64 * KIB)}\r\n`);
    const chunked = await pour("GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", chunk);
    const long = await pour(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${64 * KIB * KIB}\r\n\r\n`, chunk);
    // What the buffers of both ends hold is sent all the same.
    for (const { taken } of [chunked, long]) expect(taken).toBeLessThan(16 * KIB * KIB);
  });

  test("that is short is ignored, and the connection stays open", async () => {
    const first = "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}";
    const { body } = await send(`${first}GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(body).toContain("fine");
    const both = await send(`${first}GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(both.head).toContain("keep-alive");
  });
});
