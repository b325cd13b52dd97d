import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Plan } from "@tranche/shared/accounts/plans";
import Koa from "koa";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CallerRequest } from "../admission/charge.ts";
import type { LimitStatus } from "../admission/limit-status.ts";
import { ChangeLog } from "./change-log.ts";
import { type Observed, observed } from "../serve/observe.ts";
import { requestIds } from "@tranche/http/server/request-id";
import { type CachedPage, createFrontCache, type RepeatedRequest } from "./front-cache.ts";
import { answerOf } from "../present/answer.ts";

const PLAN: Plan = { name: "Test", max_limit: 10, burst: 10, quota: 100, export: true, webhooks: 1, provenance: false };
const answer = answerOf("json", "{}");
const page: CachedPage = { answer, responses: new Map() };
const limits: LimitStatus = {
  at: 0,
  burst: { used: 1, limit: 10, resetsAt: 1000 },
  month: { used: 1, limit: 100, resetsAt: 1000 },
  own: { used: 0, limit: 1000, resetsAt: 1000 },
};
const generation = new ChangeLog().add("1", undefined);

/** The events, in order. */
let events: string[];
let seen: Observed[];
let refused: Error | undefined;
let cached: boolean;
let again: boolean;
let server: Server;
let origin: string;

const repeated: RepeatedRequest = {
  route: "/list",
  async admit(request: CallerRequest) {
    events.push(`admitted ${request.ip}`);
    request.state.account = "acc";
    request.state.charge = {
      month: 1,
      handle: "acc",
      keyId: "key",
      keyHash: "hash",
      limits,
      refund: async () => {},
      further: async () => ({ charged: false, limits, refund: async () => {} }),
    };
    if (refused) throw refused;
    return { account: "acc", plan: PLAN, generation };
  },
  cachedPage: () => (cached ? page : undefined),
};

beforeEach(async () => {
  [events, seen, refused, cached, again] = [[], [], undefined, true, true];
  page.answer = answer;
  page.responses.clear();
  const settle = async (_asking: CallerRequest, status: number) => {
    events.push(`settled ${status}`);
    return ["RateLimit", `${events.length}`];
  };
  const observe = (one: Observed) => void seen.push(one);
  const front = createFrontCache(settle, observe, () => {});
  const app = new Koa({ proxy: true, maxIpsCount: 1 });
  app.use(front.storeResponses);
  app.use(requestIds());
  app.use(observed(observe));
  app.use(async (ctx) => {
    events.push("app");
    ctx.set("X-Kept", "yes");
    ctx.set("RateLimit", "0");
    try {
      await (front.admission(ctx.req) ?? repeated.admit(ctx));
    } catch {
      ctx.status = 429;
      return;
    }
    ctx.body = answer.body;
    front.noteAnswered(ctx.req, page, again ? () => repeated : undefined);
  });
  server = createServer({ maxHeaderSize: 32_768 }, (req, res) => void listener(req, res));
  const listener = front.inFrontOf(app);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => server.close());

const ask = (headers: Record<string, string> = {}) =>
  fetch(`${origin}/?q=1`, { headers: { connection: "close", "x-forwarded-for": "1.1.1.1, 9.9.9.9", ...headers } });

test("a repeated request is answered without the app, with headers of its own", async () => {
  const first = await ask();
  expect(events).toEqual(["app", "admitted 9.9.9.9"]);
  const second = await ask({ "x-request-id": "mine" });
  expect(events.slice(2)).toEqual(["admitted 9.9.9.9", "settled 200"]);
  expect([await second.text(), second.headers.get("x-kept")]).toEqual([await first.text(), "yes"]);
  expect([second.headers.get("ratelimit"), second.headers.get("x-request-id")]).toEqual(["4", "mine"]);
  expect(seen.map(({ status, route, address, state }) => [status, route, address, state.account])).toEqual([
    [200, "other", "9.9.9.9", "acc"],
    [200, "/list", "9.9.9.9", "acc"],
  ]);
  expect(seen[1]).toMatchObject({ method: "GET", url: "/?q=1", requestId: "mine" });
});

test("a page that was computed for this request is not learned", async () => {
  again = false;
  await ask();
  await ask();
  expect(events).toEqual(["app", "admitted 9.9.9.9", "app", "admitted 9.9.9.9"]);
});

test("the app reports a refusal without a second admission", async () => {
  await ask();
  refused = new Error("too many");
  expect((await ask()).status).toBe(429);
  expect(events.slice(2)).toEqual(["admitted 9.9.9.9", "app"]);
  expect(seen[1]).toMatchObject({ status: 429, state: { account: "acc" } });
});

test("the app answers when the page is not cached, with the admission that was begun", async () => {
  await ask();
  cached = false;
  expect((await ask()).status).toBe(200);
  expect(events.slice(2)).toEqual(["admitted 9.9.9.9", "app"]);
  expect(seen).toHaveLength(2);
});

test("a request with If-None-Match, another Accept or too long headers goes to the app", async () => {
  await ask();
  const others: Record<string, string>[] = [
    { "if-none-match": "x" },
    { accept: "text/csv" },
    { "x-much": "x".repeat(17_000) },
  ];
  for (const headers of others) {
    events = [];
    await ask(headers);
    expect(events[0]).toBe("app");
  }
});
