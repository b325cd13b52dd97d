import { changesSomething } from "@tranche/http/pages/csrf";
import { isForeign } from "@tranche/http/server/same-origin";
import { OWN_PAGE_HEADERS } from "@tranche/http/server/security-headers";
import type { Middleware } from "koa";
import { PageError } from "@tranche/http/errors/page-error";

/** Sets the headers that keep a browser from doing anything but what our own pages do. */
export function pageHeaders({ secure }: { secure: boolean }): Middleware {
  return async (ctx, next) => {
    ctx.set(OWN_PAGE_HEADERS);
    if (secure) ctx.set("Strict-Transport-Security", "max-age=31536000");
    await next();
  };
}

/** Refuses what a page of another origin sends, but for following a link to a page of ours. */
export function ownPagesOnly({ ownOrigin }: { ownOrigin: string }): Middleware {
  return async (ctx, next) => {
    const follows = !changesSomething(ctx) && ctx.headers["sec-fetch-mode"] === "navigate";
    if (!follows && isForeign(ctx.headers, ownOrigin)) {
      throw new PageError("wrong_origin", "This request comes from a page of another site.");
    }
    await next();
  };
}
