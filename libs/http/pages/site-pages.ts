import type { Middleware } from "koa";
import { PageError } from "../errors/page-error.ts";
import type { BuiltSite } from "../server/built-site.ts";
import { changesSomething } from "./csrf.ts";

/**
 * Answers requests below `root` with a built site, apart from those below `root`/api. `home`: the address of its first page, to which `/` and
 * the root without or with a slash too many lead.
 */
export function sitePages(site: BuiltSite, { root, home }: { root: string; home: string }): Middleware {
  const misspelt = home.endsWith("/") ? root : `${root}/`;
  return async (ctx, next) => {
    if (ctx.path === "/" || ctx.path === misspelt) return ctx.redirect(home);
    const below = `${ctx.path}/`.startsWith(`${root}/`);
    const path = ctx.path.slice(root.length + 1);
    if (!below || `${path}/`.startsWith("api/") || changesSomething(ctx)) return next();
    if (await site.serve(ctx, path)) return;
    if (path.startsWith("assets/")) return next();
    await site.index(ctx);
  };
}

/** Says what is missing where nothing else has answered. */
export function nothingThere(): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.status === 404 && ctx.body === undefined) {
      throw new PageError("not_found", `There is nothing at ${ctx.method} ${ctx.path}.`);
    }
  };
}
