import { connect } from "node:net";
import Koa from "koa";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorResponses } from "../errors/error-responses.ts";
import { requestIds } from "./request-id.ts";
import { closeServer, createHttpServer, listen } from "./server.ts";
import { sizeLimits } from "./size-limits.ts";

const app = new Koa();
app.use(requestIds());
app.use(errorResponses(pino({ level: "silent" })));
app.use(sizeLimits());
app.use((ctx) => {
  if (ctx.path === "/broken") throw new Error("secret of ours");
  if (ctx.path === "/") ctx.body = "fine";
});
const server = createHttpServer(app.callback());
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
    expect(head).toContain((JSON.parse(body) as { error: { request_id: string } }).error.request_id);
  });

  test("with letters that are not escaped is told how to escape them", async () => {
    expect((await send("GET /?city=Z\xc3\xbcrich HTTP/1.1\r\nHost: x\r\n\r\n")).body).toContain("Z%C3%BCrich");
  });

  test("for nothing gets 404, with the id that the caller gave", async () => {
    const { status, head, body } = await get("/nothing", "X-Request-Id: mine-1\r\n");
    expect([status, codeOf(body)]).toEqual([404, "not_found"]);
    expect(head).toContain("X-Request-Id: mine-1");
    expect(body).toContain('"request_id":"mine-1"');
  });

  test("with an id that is not fit to be logged gets another", async () => {
    expect((await get("/", "X-Request-Id: a b\r\n")).head).toMatch(/X-Request-Id: req_[0-9a-f]{32}/);
  });

  test("that fails here gets 500 without a word of why", async () => {
    const { status, body } = await get("/broken");
    expect([status, codeOf(body)]).toEqual([500, "internal_error"]);
    expect(body).not.toContain("secret");
  });
});
