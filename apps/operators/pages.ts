import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readBuiltSite } from "@tranche/http/server/built-site";
import type { Middleware } from "koa";
import { OperatorError } from "./access/errors.ts";
import { PAGES_API, PAGES_PATH } from "./access/guard.ts";

const BUILT = fileURLToPath(new URL("../../web/dist/operators", import.meta.url));

/** The operators' pages. Without a token they only say so. Where they are not built, the rest of the port works all the same. */
export function operatorsPages({ usable }: { usable: boolean }): Middleware {
  const site = existsSync(join(BUILT, "index.html")) ? readBuiltSite(BUILT) : undefined;
  return async (ctx, next) => {
    if (ctx.path === "/" || `${ctx.path}/` === PAGES_PATH) return ctx.redirect(PAGES_PATH);
    if (!ctx.path.startsWith(PAGES_PATH) || ctx.path.startsWith(`${PAGES_API}/`)) return next();
    if (ctx.method !== "GET" && ctx.method !== "HEAD") return next();
    if (!site) {
      throw new OperatorError(
        "pages_not_built",
        "The pages are not built: run `npm run build` and start the process again.",
      );
    }
    const path = ctx.path.slice(PAGES_PATH.length);
    if (await site.serve(ctx, path)) return;
    if (path.startsWith("assets/")) throw new OperatorError("not_found", "There is no such file.");
    if (!usable) ctx.status = 403;
    await site.index(ctx);
  };
}
