import { isForeign } from "@tranche/http/server/same-origin";
import type { Middleware } from "koa";
import { DashboardError } from "../errors/dashboard-error.ts";

const SAFE_METHODS = new Set(["GET", "HEAD"]);

/** Scripts, styles and requests of this origin only, and nothing inline. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** Sets the headers that keep a browser from doing anything but what our own pages do. */
export function pageHeaders({ secure }: { secure: boolean }): Middleware {
  return async (ctx, next) => {
    ctx.set({
      "Content-Security-Policy": PAGE_POLICY,
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Resource-Policy": "same-origin",
      ...(secure ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
    });
    await next();
  };
}

/** Refuses what a page of another origin sends, but for following a link to a page of ours. */
export function ownPagesOnly({ ownOrigin }: { ownOrigin: string }): Middleware {
  return async (ctx, next) => {
    const follows = SAFE_METHODS.has(ctx.method) && ctx.headers["sec-fetch-mode"] === "navigate";
    if (!follows && isForeign(ctx.headers, ownOrigin)) {
      throw new DashboardError("wrong_origin", "This request comes from a page of another site.");
    }
    await next();
  };
}
