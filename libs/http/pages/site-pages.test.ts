import Koa, { type Context } from "koa";
import { describe, expect, onTestFinished, test } from "vitest";
import { served } from "../../../tests/support/served.ts";
import { nothingThere, sitePages } from "./site-pages.ts";

const site = {
  serve: async (ctx: Context, path: string) => path === "assets/a.js" && Boolean((ctx.body = "script")),
  index: async (ctx: Context) => void (ctx.body = "page"),
};

/** What a site at this address answers: the status, and its text, its new address or the code of its error. */
async function answering(root: string, home: string) {
  const app = new Koa();
  app.use(async (ctx, next) => {
    await next().catch((error: { status: number; code: string }) => {
      ctx.status = error.status;
      ctx.body = error.code;
    });
  });
  app.use(sitePages(site, { root, home }));
  app.use(nothingThere());
  app.use((ctx) => {
    if (ctx.path === `${root}/api/session`) ctx.body = "session";
  });
  const { url, close } = await served(app.callback());
  onTestFinished(close);
  return async (path: string, method = "GET") => {
    const answer = await fetch(url + path, { method, redirect: "manual" });
    const text = await answer.text();
    return `${answer.status} ${answer.headers.get("location") ?? text}`;
  };
}

describe.each([
  [
    "without a slash at the end, behind a proxy that takes a path off",
    "/dashboard",
    "/tranche/dashboard",
    "/dashboard/",
  ],
  ["with a slash at the end", "/operators", "/operators/", "/operators"],
])("a site %s", (_, root, home, misspelt) => {
  test("answers its files and pages, and leads there from elsewhere", async () => {
    const ask = await answering(root, home);
    for (const path of ["/", misspelt]) expect([path, await ask(path)]).toEqual([path, `302 ${home}`]);
    expect(await ask(`${root}/keys`)).toBe("200 page");
    expect(await ask(`${root}/assets/a.js`)).toBe("200 script");
  });

  test("leaves to others what is not its own, and says what nobody has", async () => {
    const ask = await answering(root, home);
    expect(await ask(`${root}/api/session`)).toBe("200 session");
    for (const path of [`${root}/assets/b.js`, `${root}/api`, `${root}/api/b`, `${root}s/keys`, "/b"])
      expect([path, await ask(path)]).toEqual([path, "404 not_found"]);
    expect(await ask(`${root}/keys`, "POST")).toBe("404 not_found");
  });
});
