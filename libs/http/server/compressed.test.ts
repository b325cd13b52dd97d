import { once } from "node:events";
import { request } from "node:http";
import Koa from "koa";
import { afterAll, expect, test } from "vitest";
import { served } from "../../../tests/support/served.ts";
import { compressed } from "./compressed.ts";

const app = new Koa();
app.use(compressed());
app.use((ctx) => {
  ctx.set("X-Own", "kept");
  ctx.body = { text: "x".repeat(2000) };
});
const { url, close } = await served(app.callback());
afterAll(close);

async function ask(accepted?: string) {
  const headers = accepted === undefined ? {} : { "Accept-Encoding": accepted };
  const [answer] = await once(request(url, { headers }).end(), "response");
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
