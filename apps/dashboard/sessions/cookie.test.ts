import Koa from "koa";
import { expect, test } from "vitest";
import { served } from "../../../tests/support/served.ts";
import { createSessionCookie } from "./cookie.ts";

/** The Set-Cookie header of a dashboard with this address, behind a connection that is not encrypted. */
async function headerOf(address: string): Promise<string> {
  const app = new Koa();
  app.use((ctx) => {
    createSessionCookie(address).write(ctx, "token", new Date(0));
    ctx.body = "";
  });
  const { url, close } = await served(app.callback());
  const response = await fetch(url);
  close();
  return response.headers.get("Set-Cookie")!;
}

test("the cookie has a name for each port, and is secure where the dashboard is", async () => {
  expect(await headerOf("http://127.0.0.1:3002/dashboard")).toMatch(/^tranche_session_3002=token;(?!.*secure)/);
  expect(await headerOf("http://tranche.internal/dashboard")).toMatch(/^tranche_session_80=/);
  const secure = await headerOf("https://app.example.com/dashboard");
  expect(secure.split("; ").toSorted()).toEqual([
    "__Host-tranche_session_443=token",
    "expires=Thu, 01 Jan 1970 00:00:00 GMT",
    "httponly",
    "path=/",
    "samesite=strict",
    "secure",
  ]);
});
