import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, request } from "node:http";
import Koa from "koa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compressed } from "./compressed.ts";

const app = new Koa();
app.use(compressed());
app.use((ctx) => {
  ctx.set("X-Own", "kept");
  ctx.body = { text: "x".repeat(2000) };
});
const listener = app.callback();
const server = createServer((incoming, response) => void listener(incoming, response));
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

async function ask(accepted?: string) {
  const { port } = server.address() as AddressInfo;
  const headers = accepted === undefined ? {} : { "Accept-Encoding": accepted };
  const [answer] = await once(request({ port, host: "127.0.0.1", headers }).end(), "response");
  answer.resume();
  return [answer.statusCode, answer.headers["content-encoding"], answer.headers["x-own"]];
}

test.each([
  ["gzip", "gzip"],
  ["br;q=0.5, gzip", "gzip"],
  ["*", "gzip"],
  [undefined, undefined],
  ["identity", undefined],
  // These accept nothing. An answer that can't be read well is better than none.
  ["identity;q=0", undefined],
  ["*;q=0", undefined],
  ["zstd, identity;q=0", undefined],
])("a caller that accepts %s gets %s", async (accepted, encoding) => {
  expect(await ask(accepted)).toEqual([200, encoding, "kept"]);
});
