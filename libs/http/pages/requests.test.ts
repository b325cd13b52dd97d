import { Router } from "@koa/router";
import Koa from "koa";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { served } from "../../../tests/support/served.ts";
import { errorResponses } from "../errors/error-responses.ts";
import { PageError } from "../errors/page-error.ts";
import { jsonBodies } from "../server/json-body.ts";
import { requestIds } from "../server/request-id.ts";
import { addRequests, type PageRequest } from "./requests.ts";

const done: string[] = [];
const requests: Record<string, PageRequest<{ who: string }>> = {
  "GET /cups/:id": { answer: async ({ who, id }) => ({ who, id }) },
  "GET /none": { answer: async () => null },
  "POST /cups": {
    body: z.object({ name: z.string("Give a name.") }),
    status: 201,
    async answer({ body }) {
      done.push((body as { name: string }).name);
      return { made: body };
    },
  },
  "DELETE /cups/:id": { answer: async () => {} },
  "GET /raw": {
    answersItself: true,
    async answer({ ctx }) {
      ctx.status = 304;
    },
  },
};
const router = new Router();
addRequests(router, requests, async (ctx) => {
  if (ctx.get("X-Who") === "") throw new PageError("signed_out", "You are not signed in.");
  return { who: ctx.get("X-Who") };
});
const app = new Koa();
const log = { error: () => expect.unreachable(), warn: () => {}, info: () => {}, debug: () => {} };
app.use(requestIds());
app.use(errorResponses(log as never, ""));
app.use(jsonBodies());
app.use(router.routes());
const { url, close } = await served(app.callback());
afterAll(close);

async function ask(route: string, body?: object, who = "ada") {
  const [method, path] = route.split(" ") as [string, string];
  const answer = await fetch(url + path, {
    method,
    headers: { "X-Who": who, ...(body ? { "Content-Type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  return [answer.status, text === "" ? undefined : (JSON.parse(text) as object)];
}

test("an answer has the data of its handler and the status of its row, and is 204 without data", async () => {
  expect(await ask("GET /cups/7")).toEqual([200, { data: { who: "ada", id: "7" } }]);
  expect(await ask("GET /none")).toEqual([200, { data: null }]);
  expect(await ask("POST /cups", { name: "tea", size: 3 })).toEqual([201, { data: { made: { name: "tea" } } }]);
  expect(await ask("DELETE /cups/7")).toEqual([204, undefined]);
});

test("a handler that answers by itself is not corrected", async () => {
  expect(await ask("GET /raw")).toEqual([304, undefined]);
});

test("a refused caller learns nothing of its body, and a wrong body reaches no handler", async () => {
  done.length = 0;
  const wrong = { name: 3 };
  expect(await ask("POST /cups", wrong, "")).toMatchObject([401, { error: { code: "signed_out" } }]);
  expect(await ask("POST /cups", wrong)).toMatchObject([
    400,
    { error: { message: "Give a name.", parameter: "name" } },
  ]);
  expect(done).toEqual([]);
});

test("a path has no variable but :id", () => {
  const add = (route: string) => () =>
    addRequests(new Router(), { [route]: { answer: async () => {} } }, async () => ({}));
  expect(add("GET /cups/:id/tea")).not.toThrow();
  expect(add("GET /v1/{*path}")).not.toThrow();
  expect(add("GET /cups/:name")).toThrow("The variable of GET /cups/:name must be :id.");
  expect(add("GET /cups/:id/tea/:ids")).toThrow("must be :id");
});
