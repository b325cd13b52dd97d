import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import Koa from "koa";
import { expect, test } from "vitest";
import { createParsedRequests } from "./parsed-requests.ts";

const app = new Koa();

function contextOf(query: string, headers: Record<string, string> = {}) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { url: `/api/v1/funding?${query}`, headers });
  return app.createContext(request, new ServerResponse(request));
}
const parser = () => createParsedRequests((call) => ({ url: call.url, accept: call.get("Accept") }));

test("an equal request is not parsed again once it is remembered", () => {
  const { parse, remember } = parser();
  const first = parse(contextOf("country=us&limit=5"));
  expect(parse(contextOf("country=us&limit=5"))).not.toBe(first);
  remember(contextOf("country=us&limit=5"), first);
  expect(parse(contextOf("country=us&limit=5"))).toBe(first);
});

test("query string, Accept and Prefer are the key", () => {
  const { parse, remember } = parser();
  const plain = contextOf("limit=5");
  remember(plain, parse(plain));
  expect(parse(contextOf("limit=5"))).toBe(parse(contextOf("limit=5")));
  for (const other of [
    contextOf("limit=6"),
    contextOf("limit=5", { accept: "text/csv" }),
    contextOf("limit=5", { prefer: "handling=strict" }),
  ]) {
    expect(parse(other)).not.toBe(parse(contextOf("limit=5")));
  }
});
